#include "tools/traffic_picture.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lacuna/draw/canvas.h"
#include "tools/picture_style.h"
#include "tools/simulation_report.h"
#include "tools/summary.h"

namespace lacuna::tool {
namespace {

using picture::Canvas;
using picture::Ink;
using picture::Letters;
using Flows = TrafficRecord::Flows;
using Load = TrafficRecord::Load;

constexpr double panel_gap = 36, heading_height = 36;
constexpr double box_width = 44, box_height = 24, box_gap = 30;

/// Tensors in the order in which they first move; the result comes last.
std::vector<std::string> tensors_of(const TrafficRecord& traffic) {
  std::vector<std::string> names;
  const auto note = [&](const Flows& flows) {
    for (const auto& [key, load] : flows)
      if (std::find(names.begin(), names.end(), key.first) == names.end()) names.push_back(key.first);
  };
  for (const Flows& flows : traffic.steps()) note(flows);
  note(traffic.result());
  return names;
}

/// Some hues that stay apart also where they are printed grey, then again.
const char* colour_of(std::size_t tensor) {
  constexpr std::array colours = {"#2a6fb0", "#c8452d", "#3a8f5d", "#8a5fb3", "#c08a1e", "#444444"};
  return colours[tensor % colours.size()];
}

/// The colour of a tensor, paler where less moves.
std::string shade_of(std::size_t tensor, double share) {
  const std::string colour = colour_of(tensor);
  std::string mixed = "#";
  for (std::size_t k = 1; k < colour.size(); k += 2) {
    const int full = std::stoi(colour.substr(k, 2), nullptr, 16);
    mixed += fmt::format("{:02x}", static_cast<int>(std::lround(255 - (255 - full) * (0.25 + 0.75 * share))));
  }
  return mixed;
}

struct Panel {
  std::string title;
  const Flows* flows;
};

Load total(const Flows& flows) {
  Load sum;
  for (const auto& [key, load] : flows) {
    sum.messages += load.messages;
    sum.bytes += load.bytes;
  }
  return sum;
}

std::vector<Panel> panels_of(const Simulation& simulation, const TrafficRecord& traffic) {
  std::vector<Panel> panels;
  static const Flows nothing;
  for (std::size_t s = 0; s < std::min(simulation.steps.size(), TrafficRecord::most_steps + 1); ++s) {
    std::string title = step_text(simulation.steps[s]);
    if (s == TrafficRecord::most_steps && simulation.steps.size() > s + 1)
      title = fmt::format("{} more steps", simulation.steps.size() - s);
    panels.push_back({title, s < traffic.steps().size() ? &traffic.steps()[s] : &nothing});
  }
  if (!traffic.result().empty()) panels.push_back({"the result, to its owners", &traffic.result()});
  return panels;
}

/// Draws what moves in one panel after another, all of one size.
class PanelDrawing {
 public:
  PanelDrawing(Canvas& canvas, const Machine& machine, std::vector<std::string> tensors)
      : canvas_(canvas), machine_(machine), tensors_(std::move(tensors)) {}
  virtual ~PanelDrawing() = default;
  virtual double width() const = 0;
  virtual double height() const = 0;
  virtual void draw(const Flows& flows, double left, double top) const = 0;

 protected:
  std::size_t tensor_number(const std::string& name) const {
    return static_cast<std::size_t>(std::find(tensors_.begin(), tensors_.end(), name) - tensors_.begin());
  }
  std::string processor_text(std::int64_t p) const { return fmt::format("{}", fmt::join(machine_.point(p), ",")); }

  Canvas& canvas_;
  const Machine& machine_;
  std::vector<std::string> tensors_;
};

/// Boxes for processors, as the machine has them, and arrows between them.
class ArrowDrawing : public PanelDrawing {
 public:
  using PanelDrawing::PanelDrawing;

  /// Where there are few enough to tell them apart.
  static bool is_readable(const Machine& machine, const std::vector<Panel>& panels) {
    const auto [rows, columns] = shape(machine);
    const bool small = rows <= 8 && columns <= 12;
    return small && std::all_of(panels.begin(), panels.end(),
                                [&](const Panel& p) { return std::ssize(*p.flows) <= 3 * machine.processors() + 8; });
  }
  double width() const override {
    return static_cast<double>(shape(machine_).second) * (box_width + box_gap) - box_gap + 2 * side;
  }
  double height() const override {
    return static_cast<double>(shape(machine_).first) * (box_height + box_gap) - box_gap + 2 * side;
  }
  void draw(const Flows& flows, double left, double top) const override {
    for (std::int64_t p = 0; p < machine_.processors(); ++p) {
      const auto [x, y] = centre(p);
      canvas_.rectangle(left + x - box_width / 2, top + y - box_height / 2, box_width, box_height, 3,
                        Ink{"#f3f7fc", outline, 1});
      Letters letters{9.5, "#222"};
      letters.anchor = Letters::Anchor::Middle;
      canvas_.text(left + x, top + y + 3.5, processor_text(p), letters);
    }
    std::int64_t most = 1;
    for (const auto& [key, load] : flows) most = std::max(most, load.bytes);
    for (const auto& [key, load] : flows) {
      const double share = static_cast<double>(load.bytes) / static_cast<double>(most);
      canvas_.begin_group("transfer", fmt::format("{} from ({}) to ({}): {}, {}", key.first,
                                                  processor_text(key.second.first), processor_text(key.second.second),
                                                  counted(load.messages, "message"), bytes_text(load.bytes)));
      arrow(left, top, key.second.first, key.second.second, tensor_number(key.first), 0.8 + 1.2 * share);
      canvas_.end_group();
    }
  }

 private:
  static constexpr double side = 22;  // around the boxes, for arrows that go round

  /// The first of several dimensions goes down, all others across.
  static std::pair<std::int64_t, std::int64_t> shape(const Machine& machine) {
    const std::vector<std::int64_t> sizes = machine.sizes();
    return sizes.size() == 1 ? std::pair{std::int64_t{1}, sizes[0]}
                             : std::pair{sizes[0], machine.processors() / sizes[0]};
  }
  std::pair<double, double> centre(std::int64_t p) const {
    const std::int64_t columns = shape(machine_).second, row = p / columns;
    return {side + box_width / 2 + static_cast<double>(p % columns) * (box_width + box_gap),
            side + box_height / 2 + static_cast<double>(row) * (box_height + box_gap)};
  }

  /// From edge to edge; each tensor beside the others, and past the boxes that are in between.
  void arrow(double left, double top, std::int64_t from, std::int64_t to, std::size_t tensor, double width) const {
    const auto [x1, y1] = centre(from);
    const auto [x2, y2] = centre(to);
    const double dx = x2 - x1, dy = y2 - y1, length = std::hypot(dx, dy);
    const double offset = tensors_.size() < 2 ? 0 : 7.0 * static_cast<double>(tensor % 3) - 5;
    const bool passes =
        (dx == 0 && std::abs(dy) > box_height + box_gap + 1) || (dy == 0 && std::abs(dx) > box_width + box_gap + 1);
    const double beside = dx == 0 ? box_width / 2 + 5 : box_height / 2 + 5;
    const double cells = std::max(std::abs(dx) / (box_width + box_gap), std::abs(dy) / (box_height + box_gap));
    const double bend = passes ? beside + std::abs(offset) + 3 * (cells - 2) : 3;
    // Arrows that pass boxes leave and arrive at a side; others at the edge that faces the other one.
    const double nx = dy / length, ny = -dx / length;  // to the left as one goes
    const auto edge = [&](double sign) {
      if (passes)
        return std::pair{nx * box_width / 2 + sign * dx / length * 6, ny * box_height / 2 + sign * dy / length * 6};
      const double reach = std::min(dx == 0 ? 1e9 : box_width / 2 / std::abs(dx / length),
                                    dy == 0 ? 1e9 : box_height / 2 / std::abs(dy / length));
      return std::pair{sign * dx / length * reach + nx * offset, sign * dy / length * reach + ny * offset};
    };
    const auto [ax, ay] = edge(1);
    const auto [bx, by] = edge(-1);
    const double rest = passes ? bend - (dx == 0 ? box_width / 2 : box_height / 2) : bend;
    canvas_.bent_arrow(left + x1 + ax, top + y1 + ay, left + x2 + bx, top + y2 + by, rest,
                       Ink{"none", colour_of(tensor), width});
  }
};

/// A matrix with a row for each sender and a column for each receiver; several in one where there are many.
class MatrixDrawing : public PanelDrawing {
 public:
  MatrixDrawing(Canvas& canvas, const Machine& machine, std::vector<std::string> tensors)
      : PanelDrawing(canvas, machine, std::move(tensors)),
        bins_(std::min<std::int64_t>(64, machine.processors())),
        cell_(std::clamp(256.0 / static_cast<double>(bins_), 4.0, 22.0)) {}

  double width() const override { return label_width() + static_cast<double>(bins_) * cell_; }
  double height() const override { return 16 + static_cast<double>(bins_) * cell_; }
  void draw(const Flows& flows, double left, double top) const override {
    const double x = left + label_width(), y = top + 16;
    axes(x, y);
    std::map<std::pair<std::int64_t, std::int64_t>, std::map<std::size_t, Load>> cells;
    for (const auto& [key, load] : flows) {
      Load& cell = cells[{bin(key.second.first), bin(key.second.second)}][tensor_number(key.first)];
      cell.messages += load.messages;
      cell.bytes += load.bytes;
    }
    std::int64_t most = 1;
    for (const auto& [at, loads] : cells)
      for (const auto& [tensor, load] : loads) most = std::max(most, load.bytes);
    for (const auto& [at, loads] : cells) draw_cell(at, loads, x, y, static_cast<double>(most));
    canvas_.rectangle(x, y, static_cast<double>(bins_) * cell_, static_cast<double>(bins_) * cell_, 0,
                      Ink{"none", outline, 1});
  }

 private:
  std::int64_t bin(std::int64_t processor) const { return processor * bins_ / machine_.processors(); }
  double label_width() const { return width_of(processor_text(machine_.processors() - 1), small()) + 26; }
  static Letters small() { return {9.5, "#555"}; }

  /// The names of the first and the last; of all where there is room.
  void axes(double x, double y) const {
    Letters letters = small();
    canvas_.text(x, y - 5, "to →", letters);
    canvas_.text(x - label_width(), y + 8, "from", letters);
    letters.anchor = Letters::Anchor::End;
    const bool all = cell_ >= 12 && bins_ == machine_.processors();
    for (std::int64_t b = 0; b < bins_; ++b) {
      if (!all && b != 0 && b + 1 != bins_) continue;
      const std::int64_t p = b + 1 == bins_ ? machine_.processors() - 1 : b;
      const double base = std::max(8.0, (static_cast<double>(b) + 0.5) * cell_ + 3.5);
      canvas_.text(x - 4, y + base, processor_text(p), letters);
    }
  }

  /// A stripe for each tensor, the darker the more bytes.
  void draw_cell(const std::pair<std::int64_t, std::int64_t>& at, const std::map<std::size_t, Load>& loads, double x,
                 double y, double most) const {
    const double stripe = (cell_ - 1) / static_cast<double>(loads.size());
    double down = y + static_cast<double>(at.first) * cell_ + 0.5;
    std::string title;
    for (const auto& [tensor, load] : loads)
      title += fmt::format("{}{}: {}, {}", title.empty() ? "" : "; ", tensors_[tensor],
                           counted(load.messages, "message"), bytes_text(load.bytes));
    canvas_.begin_group("transfer", title);
    for (const auto& [tensor, load] : loads) {
      canvas_.rectangle(x + static_cast<double>(at.second) * cell_ + 0.5, down, cell_ - 1, stripe, 0,
                        Ink{shade_of(tensor, static_cast<double>(load.bytes) / most)});
      down += stripe;
    }
    canvas_.end_group();
  }

  std::int64_t bins_;
  double cell_;
};

/// A swatch a tensor, with what moves of it in all, in lines. Returns how far to the right and down that gets.
std::pair<double, double> draw_legend(Canvas& canvas, const std::vector<std::string>& tensors,
                                      const std::vector<Panel>& panels, double y) {
  double x = picture_margin, right = picture_margin;
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    Load sum;
    for (const Panel& panel : panels) {
      for (const auto& [key, load] : *panel.flows) {
        if (key.first != tensors[t]) continue;
        sum.messages += load.messages;
        sum.bytes += load.bytes;
      }
    }
    const std::string text =
        fmt::format("{}: {}, {}", tensors[t], counted(sum.messages, "message"), bytes_text(sum.bytes));
    const double width = 17 + width_of(text, caption_letters);
    if (x > picture_margin && x + width > picture_width - picture_margin) {
      x = picture_margin;
      y += 16;
    }
    canvas.rectangle(x, y - 9, 12, 10, 2, Ink{colour_of(t)});
    canvas.text(x + 17, y, text, caption_letters);
    right = std::max(right, x + width);
    x += width + 24;
  }
  if (!tensors.empty()) return {right, y};
  canvas.text(x, y, "nothing moves", caption_letters);
  return {x + width_of("nothing moves", caption_letters), y};
}

std::string panel_caption(const Panel& panel) {
  const Load sum = total(*panel.flows);
  if (sum.messages == 0) return "nothing moves";
  return fmt::format("{} message{}, {}", sum.messages, sum.messages == 1 ? "" : "s", bytes_text(sum.bytes));
}

}  // namespace

void TrafficRecord::note(const SimulatedMessage& message) {
  const std::size_t step = message.step ? std::min(*message.step, most_steps) : 0;
  if (message.step && steps_.size() <= step) steps_.resize(step + 1);
  Load& load = (message.step ? steps_[step] : result_)[{message.tensor, {message.from, message.to}}];
  ++load.messages;
  load.bytes += message.bytes;
}

std::string traffic_picture(const std::string& title, const Machine& machine, const Simulation& simulation,
                            const TrafficRecord& traffic) {
  const std::vector<Panel> panels = panels_of(simulation, traffic);
  const std::vector<std::string> tensors = tensors_of(traffic);
  Canvas canvas;
  std::unique_ptr<PanelDrawing> drawing;
  if (ArrowDrawing::is_readable(machine, panels)) drawing = std::make_unique<ArrowDrawing>(canvas, machine, tensors);
  else drawing = std::make_unique<MatrixDrawing>(canvas, machine, tensors);
  const std::vector<std::string> lines = picture::wrapped(title, title_letters, picture_width - 2 * picture_margin);
  auto [right, below] = draw_legend(canvas, tensors, panels, canvas.text(picture_margin, 26, lines, title_letters) + 5);
  right = std::max(right, picture_margin + width_of(lines, title_letters));
  double each = drawing->width();
  for (const Panel& panel : panels)
    each = std::max({each, width_of(panel.title, panel_letters), width_of(panel_caption(panel), caption_letters)});
  const auto across = static_cast<std::size_t>(
      std::max(1.0, std::floor((picture_width - 2 * picture_margin + panel_gap) / (each + panel_gap))));
  const double first = below + 24, row = drawing->height() + heading_height + panel_gap;
  for (std::size_t k = 0; k < panels.size(); ++k) {
    const std::size_t line = k / across, place = k % across;
    const double x = picture_margin + static_cast<double>(place) * (each + panel_gap);
    const double y = first + static_cast<double>(line) * row;
    canvas.text(x, y + 10, panels[k].title, panel_letters);
    canvas.text(x, y + 25, panel_caption(panels[k]), caption_letters);
    drawing->draw(*panels[k].flows, x, y + heading_height);
    right = std::max(right, x + each);
  }
  const double rows = std::ceil(static_cast<double>(panels.size()) / static_cast<double>(across));
  return canvas.document(right + picture_margin, first + rows * row - (panels.empty() ? 0 : panel_gap) + picture_margin,
                         title);
}

}  // namespace lacuna::tool
