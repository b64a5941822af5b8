#include "lacuna/schedule/language/help.h"

#include "lacuna/support/text_case.h"

namespace lacuna {

const std::vector<DirectiveHelp>& directive_help() {
  static const std::vector<DirectiveHelp> help = {
      {"split", "split(i,io,ii,n)", "cut the loop i into pieces of n iterations: io counts pieces, ii runs inside"},
      {"divide", "divide(i,io,ii,n)", "cut the loop i into n pieces of equal length: io counts pieces, ii runs inside"},
      {"reorder", "reorder(i,j,…)", "nest the loops of these variables in this order"},
      {"fuse", "fuse(i,j,f)", "make one loop f of i and the j directly inside it (also called collapse)"},
      {"pos", "pos(i,ip,A)", "run over the positions that A stores instead of over coordinates"},
      {"bound", "bound(i,ib,n,min|max|exact)", "promise that i has at least, at most or exactly n values"},
      {"unroll", "unroll(i,n)", "write out n iterations of the loop i at a time"},
      {"prefetch", "prefetch(i,n)", "prefetch what the coordinates of i refer to, n iterations ahead"},
      {"vectorize", "vectorize(i)", "run the iterations of the loop i in vector lanes"},
      {"parallelize", "parallelize(i,UNIT[,RACE])", "run the iterations of the loop i on threads or in vector lanes"},
      {"precompute", "precompute(e,{i,…},{iw,…}[,NAME][,FORMAT])",
       "compute e first, into a workspace over i,…, by loops over iw,…"},
      {"loopfuse", "loopfuse(n) or loopfuse(k|{T,…},left|right[,{step,…}[,loops]])",
       "split a product into a producer and a consumer that share their outer loops"},
      {"substitute", "substitute({i,…},BLAS.gemm|gemv|ger|dot|axpy)",
       "let BLAS multiply the matrices or vectors that the loops i,… do"},
      {"assemble", "assemble(T,Append|Insert)",
       "choose how the result T is made: grown in order, or counted then filled"},
      {"mergeby", "mergeby(i,TwoFinger|Gallop)", "choose how the loop i finds the coordinates that operands share"},
      {"distribute", "distribute(io,…) or distribute({i,…},{io,…},{ii,…},M|T)",
       "run the iterations of these loops on different processors of a machine, or where parts of T are"},
      {"communicate", "communicate({A,…},i)", "fetch what an iteration of i needs of these tensors when it begins"},
      {"rotate", "rotate(t,{i,…},r)", "let each processor begin the loop t at another iteration"},
      {"transpose", "transpose(T,m0,m1,…)", "read T from a copy whose levels store the modes in this order"},
  };
  return help;
}

const DirectiveHelp* find_directive(std::string_view name) {
  if (same_word(name, "collapse")) name = "fuse";
  for (const DirectiveHelp& help : directive_help()) {
    if (same_word(help.name, name)) return &help;
  }
  return nullptr;
}

}  // namespace lacuna
