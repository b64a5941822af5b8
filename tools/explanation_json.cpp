#include "tools/explanation_json.h"

#include "lacuna/support/error.h"

namespace lacuna::tool {
namespace {

using Json = nlohmann::ordered_json;

const char* word_of(Part part) {
  switch (part) {
    case Part::Result: return "result";
    case Part::Operand: return "operand";
    case Part::Scalar: return "scalar";
    case Part::Workspace: return "workspace";
  }
  throw InternalError("internal error: a Part outside its enumeration");
}

const char* word_of(Stop::Kind kind) {
  switch (kind) {
    case Stop::Kind::Walked: return "walked";
    case Stop::Kind::Followed: return "walked alongside";
    case Stop::Kind::Located: return "located";
    case Stop::Kind::Stored: return "stored";
    case Stop::Kind::Drained: return "drained";
    case Stop::Kind::Read: return "read";
    case Stop::Kind::Written: return "written";
  }
  throw InternalError("internal error: a Stop::Kind outside its enumeration");
}

Json json_of(const Work& work) {
  return {{"operations", work.operations}, {"bytes_read", work.bytes_read}, {"bytes_written", work.bytes_written}};
}

Json json_of(const ExplainedTensor& t) {
  Json json{{"name", t.name},       {"part", word_of(t.part)}, {"type", t.type}, {"dimensions", t.dimensions},
            {"entries", t.entries}, {"bytes", t.bytes}};
  if (!t.format.empty()) json["format"] = t.format;
  json["entries_are"] = t.assumed ? "assumed" : t.expected ? "expected" : "counted";
  if (!t.remark.empty()) json["remark"] = t.remark;
  return json;
}

Json json_of(const Step& step, const std::vector<Lane>& lanes) {
  Json json;
  if (step.kind == Step::Kind::Assignment) json["assignment"] = step.text;
  if (step.kind == Step::Kind::Loop) {
    json["loop"] = step.text;
    json["visits"] = step.visits;
    if (!step.manners.empty()) json["runs"] = step.manners;
    if (!step.points.empty()) json["lattice"] = step.points;
    json["iterations"] = step.cost.turns;
    json["own"] = json_of(step.cost.own);
    json["with_inner_loops"] = json_of(step.cost.with);
  }
  for (const Stop& stop : step.stops) {
    Json each{{"access", lanes[static_cast<std::size_t>(stop.lane)].access}, {"is", word_of(stop.kind)}};
    if (stop.level >= 0) each["level"] = stop.level;
    if (!stop.words.empty()) each["by"] = stop.words;
    json["accesses"].push_back(each);
  }
  for (const Step& inner : step.steps) json["steps"].push_back(json_of(inner, lanes));
  return json;
}

}  // namespace

Json json_of(const Explanation& e) {
  Json json{{"statement", e.statement}, {"schedule", e.directives}, {"schedule_is", e.chosen ? "chosen" : "given"}};
  for (const ExplainedTensor& t : e.tensors) json["tensors"].push_back(json_of(t));
  json["steps"] = Json::array();
  for (const Step& step : e.root.steps) json["steps"].push_back(json_of(step, e.lanes));
  json["outside_loops"] = json_of(e.root.cost.own);
  json["total"] = json_of(e.total);
  json["least_bytes"] = e.compulsory_bytes;
  json["reasons"] = Json::array();
  for (const Reason& r : e.reasons) json["reasons"].push_back({{"about", r.about}, {"why", r.why}});
  json["candidates"] = Json::array();
  for (const Candidate& c : e.candidates)
    json["candidates"].push_back({{"way", c.way}, {"seconds", c.seconds}, {"chosen", c.chosen}});
  json["notes"] = e.notes;
  return json;
}

}  // namespace lacuna::tool
