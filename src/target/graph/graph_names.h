/* SPDX-License-Identifier: MIT
 *
 * The engine is compiled once for each width of a row (row.h), and all of them
 * are linked into one program: what depends on the width has it in its name.
 */
#ifndef GRAPH_GRAPH_NAMES_H
#define GRAPH_GRAPH_NAMES_H

#define ROW_NAME_OF(name, words) name##_##words
#define ROW_NAME_FOR(name, words) ROW_NAME_OF(name, words)
#define ROW_NAME(name) ROW_NAME_FOR(name, ROW_WORDS)

#define forward_sample ROW_NAME(forward_sample)
#define graph_add_thread ROW_NAME(graph_add_thread)
#define graph_begin ROW_NAME(graph_begin)
#define graph_clear ROW_NAME(graph_clear)
#define graph_copy ROW_NAME(graph_copy)
#define graph_engine_here ROW_NAME(graph_engine)
#define graph_join_halves ROW_NAME(graph_join_halves)
#define graph_know_location ROW_NAME(graph_know_location)
#define graph_place_write ROW_NAME(graph_place_write)
#define graph_predecessor ROW_NAME(graph_predecessor)
#define graph_push ROW_NAME(graph_push)
#define graph_push_write ROW_NAME(graph_push_write)
#define graph_push_write_of ROW_NAME(graph_push_write_of)
#define graph_races ROW_NAME(graph_races)
#define graph_restrict ROW_NAME(graph_restrict)
#define graph_sample ROW_NAME(graph_sample)
#define graph_search_run ROW_NAME(graph_search_run)
#define graph_set_effect ROW_NAME(graph_set_effect)
#define graph_set_mark ROW_NAME(graph_set_mark)
#define graph_set_source ROW_NAME(graph_set_source)
#define graph_tell ROW_NAME(graph_tell)
#define graph_undo ROW_NAME(graph_undo)
#define revisit_can_undo ROW_NAME(revisit_can_undo)
#define revisit_reads ROW_NAME(revisit_reads)
#define rules_c11 ROW_NAME(rules_c11)
#define rules_order ROW_NAME(rules_order)
#define walk_add_other ROW_NAME(walk_add_other)
#define walk_add_write ROW_NAME(walk_add_write)
#define walk_begin ROW_NAME(walk_begin)
#define walk_begin_child ROW_NAME(walk_begin_child)
#define walk_blocks ROW_NAME(walk_blocks)
#define walk_choose_thread ROW_NAME(walk_choose_thread)
#define walk_end ROW_NAME(walk_end)
#define walk_end_child ROW_NAME(walk_end_child)
#define walk_extend ROW_NAME(walk_extend)
#define walk_finish_alone ROW_NAME(walk_finish_alone)
#define walk_finish_rmw ROW_NAME(walk_finish_rmw)
#define walk_free ROW_NAME(walk_free)
#define walk_give_source ROW_NAME(walk_give_source)
#define walk_is_enabled ROW_NAME(walk_is_enabled)
#define walk_is_too_long ROW_NAME(walk_is_too_long)
#define walk_look_at_access ROW_NAME(walk_look_at_access)
#define walk_look_at_free ROW_NAME(walk_look_at_free)
#define walk_look_at_frees ROW_NAME(walk_look_at_frees)
#define walk_own_touching ROW_NAME(walk_own_touching)
#define walk_take ROW_NAME(walk_take)
#define walk_value ROW_NAME(walk_value)

#endif
