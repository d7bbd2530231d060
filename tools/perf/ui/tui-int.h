/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tui-int: shared by tui*.c. A run is the recording read once with a selection; a view lists
 * something of a run; the tui holds the views, the filters, and the loop.
 */
#ifndef MIG_TUI_INT_H
#define MIG_TUI_INT_H

#include "browser.h"
#include "chain-count.h"
#include "err.h"
#include "move-list.h"
#include "report.h"
#include "term.h"
#include "timeline.h"
#include "tree.h"
#include "tui.h"
#include "wake-chain.h"

/* --- tui-run.c --- */

struct tui_run {
	struct session *session;
	struct report report;
	struct timeline timeline;
	struct chain_counts chains;
	struct wake_chains task_chains;
	struct move_list moves;
	bool want_timeline, want_chains, want_task_chains, want_moves, damaged, cancelled;
};

/* What to read; row: one pair of comms (session_zoom.row), or NULL. */
struct tui_want {
	uint32_t dims;
	const char *row;
	const struct move_match *moves; /* these alone; NULL: all of a row's, else none */
	bool task_chains; /* tui_run.task_chains of all that is selected */
	bool first; /* s is open already, and what --fields and --sort say is of this run */
	struct session *s;
};

/* Reads the recording with all filters. With damage also *ret_run is set. */
int tui_run__new(struct tui *t, const struct tui_want *want, struct tui_run **ret_run,
		 struct mig_err *err);
void tui_run__delete(struct tui_run *run);

/* --- tui-keys.c: what keys do --- */

enum tui_action {
	ACT_NONE,
	ACT_OPEN,
	ACT_MENU,
	ACT_BACK,
	ACT_LEFT,
	ACT_QUIT,
	ACT_NEXT_VIEW,
	ACT_PREV_VIEW,
	ACT_FOLD,
	ACT_CLOSE,
	ACT_OPEN_ALL,
	ACT_CLOSE_ALL,
	ACT_FILTER,
	ACT_NEXT_HIT,
	ACT_PREV_HIT,
	ACT_SORT,
	ACT_REVERSE,
	ACT_FIELDS,
	ACT_ZOOM,
	ACT_ZOOM_OTHER,
	ACT_LIST,
	ACT_CHAINS,
	ACT_HEADS,
	ACT_WRITE,
	ACT_ENVIRONMENT,
	ACT_HELP,
	ACT_SHIFT_LEFT,
	ACT_SHIFT_RIGHT,
	NR_ACT,
};

enum tui_action tui_keys__action(int key);
/* A line of help for each key, those that move the cursor included. */
void tui_keys__help(FILE *fp);
/* The i-th entry of a menu that the view can do; NULL: no more. *ret_action what it does. */
const char *tui_keys__menu(uint32_t can, unsigned i, enum tui_action *ret_action);

/* --- views: one file each --- */

struct tui_view;

struct tui_view_ops {
	const char *name; /* in the title */
	uint32_t can; /* actions beyond those that every view has: bits 1 << ACT_* */
	/* Fills the tree from the run. 0, or a negative errno with err. */
	int (*load)(struct tui_view *v, struct mig_err *err);
	unsigned (*heads)(struct tui_view *v, struct line *lines, unsigned columns);
	/* A node's row; lines inside of a node are plain text. NULL: its title */
	void (*row)(struct tui_view *v, const struct tree_node *n, struct line *l);
	/* Does what is in `can`. NULL: nothing is. */
	int (*act)(struct tui_view *v, enum tui_action action, struct mig_err *err);
	void (*exit)(struct tui_view *v); /* may be NULL */
	struct tree_ops tree;
};

struct tui_view {
	const struct tui_view_ops *ops;
	struct tui *tui;
	struct tui_run *run; /* borrowed, NULL = none needed */
	struct tui_run *own_run; /* owned: of this view alone */
	struct browser browser;
	struct tree tree;
	unsigned shift; /* columns scrolled away to the left */
	bool loaded;
	void *priv; /* the view's own */
	bool is_over; /* opened on top of the others */
	char filter[64]; /* the text filter of one that is; the others share tui's */
	char row_text[256]; /* of the cursor's row when the view was forgotten */
	char subject[96]; /* what it is about, beside its name; "" = nothing */
};

extern const struct tui_view_ops tui_pairs_ops, tui_tasks_ops, tui_causes_ops, tui_cpus_ops,
	tui_timeline_ops, tui_slowest_ops, tui_llc_ops, tui_pair_ops, tui_moves_ops, tui_chains_ops,
	tui_help_ops, tui_environment_ops;

/*
 * tui-moves.c: reads and lists single migrations. row: of one pair, as tui_want.row, or NULL.
 */
int tui__list_moves(struct tui *t, const char *row, const struct move_match *match,
		    const char *subject, struct mig_err *err);

/* tui-chains.c: reads and lists the wake chains that end in the pair, "waker > wakee" as shown. */
int tui__list_chains(struct tui *t, const char *pair, struct mig_err *err);

/* tui-view.c */
void tui_view__init(struct tui_view *v, const struct tui_view_ops *ops, struct tui *t);
void tui_view__exit(struct tui_view *v);
/* Its run goes away: keeps nothing of it but the text of the cursor's row. */
void tui_view__forget(struct tui_view *v);
/* Fills it anew; the cursor goes to the row of the same text. */
int tui_view__load(struct tui_view *v, struct mig_err *err);
/* After a change of the filter, the order, or what is open: the cursor stays on its row. */
int tui_view__update(struct tui_view *v, const struct tree_row *at_row, const void *at_item);
/* The node under the cursor; NULL: there is none. */
struct tree_node *tui_view__node(struct tui_view *v);
/* The cursor's item and line, for tui_view__update(). */
const void *tui_view__here(const struct tui_view *v, struct tree_row *ret_row);

/* --- tui.c --- */

enum tui_filter_kind {
	TUI_FILTER_TEXT,
	TUI_FILTER_TIME,
	TUI_FILTER_COMM,
	TUI_FILTER_TID,
	TUI_FILTER_CPU
};

/* Filters in the order in which they were set; ESC takes the last one away. */
struct tui_filter {
	enum tui_filter_kind kind;
	char arg[96]; /* as the option takes it; TUI_FILTER_TEXT: what is searched */
	char label[96]; /* for the title */
};

#define TUI_NR_VIEWS    7
#define TUI_MAX_OVER    4
#define TUI_MAX_FILTERS SESSION_MAX_ZOOM
#define TUI_MAX_HISTORY 16

struct tui {
	struct tui_opts opts;
	struct session_opts session_opts;
	struct tui_run *run, *tasks; /* tasks: by thread, made when it is asked for */
	struct tui_view views[TUI_NR_VIEWS];
	unsigned view;
	struct tui_view over[TUI_MAX_OVER]; /* opened on top: a pair, the help .. */
	unsigned nr_over;
	struct tui_filter filters[TUI_MAX_FILTERS];
	unsigned nr_filters;
	char search[64]; /* what n and N look for */
	char history[TUI_MAX_HISTORY][64];
	unsigned nr_history;
	char message[256];
	bool message_is_error, quit, hide_heads;
};

struct tui_view *tui__view(struct tui *t);
void tui__draw(struct tui *t);
void tui__say(struct tui *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void tui__say_error(struct tui *t, const struct mig_err *err);
/* What a view's rows must have in them, NULL = all are shown. */
const char *tui__text_filter(const struct tui_view *v);
/* After a change of the text filter. */
int tui__refilter(struct tui *t, struct mig_err *err);
/* Sets a filter (one more, or another text), and reads the recording again if it takes that. */
int tui__add_filter(struct tui *t, enum tui_filter_kind kind, const char *arg, const char *label,
		    struct mig_err *err);
/* Takes the last one away; there must be one. */
int tui__pop_filter(struct tui *t, struct mig_err *err);
/* Title and summary as text. 0 or -EIO */
int tui__print(struct tui *t, FILE *fp);
/* Opens a view on top of the others. own_run: its alone, may be NULL. */
int tui__open_over(struct tui *t, const struct tui_view_ops *ops, struct tui_run *own_run,
		   const char *subject, struct mig_err *err);
/* The run whose rows are threads. */
int tui__need_tasks(struct tui *t, struct tui_run **ret_run, struct mig_err *err);

/* tui-do.c: what an action does in any view; 0 or a negative errno with err */
int tui__do(struct tui *t, enum tui_action action, struct mig_err *err);

/* --- tui-prompt.c --- */

/* Reads a line; buf is what it starts with. Enter: true, ESC: false. */
bool tui__prompt(struct tui *t, const char *label, char *buf, size_t size);
/* One of nr entries, -1 = none. at: where the cursor starts. *ret_key: a key that is none of the
 * menu's, which closes it; 0 if it was none. */
int tui__menu(struct tui *t, const char *title, const char *const *entries, unsigned nr,
	      unsigned at, int *ret_key);
bool tui__yes(struct tui *t, const char *question);

/* --- tui-text.c: what the text views print, as lines --- */

struct tui_text {
	FILE *fp;
	char *buf;
	size_t size;
};

FILE *tui_text__open(struct tui_text *tx); /* NULL: no memory */
/* Adds what was printed to the node's lines. 0, -ENOMEM */
int tui_text__close(struct tui_text *tx, struct tree_node *n);
/* "name/tid", "[idle]", "-" if unknown */
void tui_text__task(const struct session *s, uint32_t comm, int32_t tid, char *buf, size_t size);
/* The functions of a call chain, a line each. */
void tui_text__chain(const struct session *s, uint32_t chain, FILE *fp);
/* The first line alone, without its end, in buf. */
int tui_text__line(struct tui_text *tx, char *buf, size_t size);

#endif
