#pragma once

// The schemas of the paper that the language comes from, as it prints them.
namespace lacuna::schema::figures {

inline constexpr const char* bst = R"(
def bst_root {
  r : bst
}
def bst {
  e : elem nonempty
  l : bst
  r : bst
  seq = l, e, r
}
)";

inline constexpr const char* linked_list = R"(
def list {
  e : elem nonempty
  n : list
  seq = {e}, n
}
def list_head {
  h : list
}
)";

inline constexpr const char* block_list = R"(
def blist {
  e : elem[B] nonempty
  n : blist
  B : size in [0, 3]
  seq = {e}, n
}
def blist_head {
  h : blist
}
)";

// Figure 7: its three variants, which have no head.
inline constexpr const char* block_list_gaps = "def blist { e : elem[3]  n : blist  seq = {e}, n }";
inline constexpr const char* block_list_marked =
    "def blist { e : elem[B]  n : blist  B : size in [0, 3]  seq = {e}, n }";
inline constexpr const char* block_list_unsorted = "def blist { e : elem[3]  n : blist }";

inline constexpr const char* variable_block_list = R"(
def vblist {
  e : elem[B] nonempty
  n : vblist
  B : size
  seq = {e}, n
}
def vblist_head {
  h : vblist
}
)";

// Figure 6d, with v called e as in its seq.
inline constexpr const char* ttree = R"(
def ttree {
  e : elem[B] nonempty
  l : ttree
  r : ttree
  B : size in [1, 4]
  seq = l, {e}, r
}
def ttree_root {
  r : ttree
}
)";

inline constexpr const char* rbtree = R"(
def rbtree {
  e : elem nonempty
  l : rbtree
  r : rbtree
  p : parent
  c : bool
  seq = l, e, r
}
def rbtree_root {
  r : rbtree
}
)";

inline constexpr const char* ctree = R"(
def ctree {
  h : elem nonempty
  t : elem[N] nonempty
  l : ctree
  r : ctree
  N : size
  seq = l, h, {t}, r
}
def prefix {
  e : elem[N] nonempty
  r : ctree
  N : size
  seq = {e}, r
}
)";

inline constexpr const char* btree = R"(
def supertype btree
def btree_internal : btree {
  e : elem[B] nonempty
  c : btree[B] nonempty
  cl : btree nonempty
  B : size in [1, 3]
  seq = {c, e}, cl
}
def btree_leaf : btree {
  e : elem[B] nonempty
  B : size in [1, 3]
  seq = {e}
}
def btree_root {
  r : btree
}
)";

inline constexpr const char* all[] = {bst,
                                      linked_list,
                                      block_list,
                                      block_list_gaps,
                                      ttree,
                                      block_list_marked,
                                      block_list_unsorted,
                                      variable_block_list,
                                      rbtree,
                                      ctree,
                                      btree};

}  // namespace lacuna::schema::figures
