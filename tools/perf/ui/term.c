// SPDX-License-Identifier: GPL-2.0
#include "term.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <poll.h>
#include <signal.h>
#include <slang.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/*
 * ESC alone, or the first byte of a key? ssh over a slow link delivers the bytes in parts, so the
 * second one may take this long, unless ESCDELAY says something else (as it does to curses). After
 * it there is no doubt: what comes is the rest of the key.
 */
#define ESC_WAIT_MS  150
#define REST_WAIT_MS 1000
#define MAX_SEQUENCE 32

#define KEYSYM_BACKTAB 0x1001

/* Those that end the program, and what was done on them before. */
static const int end_signals[] = { SIGINT,  SIGTERM, SIGHUP, SIGQUIT, SIGPIPE,
				   SIGSEGV, SIGBUS,  SIGFPE, SIGILL,  SIGABRT };
#define NR_END (sizeof(end_signals) / sizeof(end_signals[0]))

static struct {
	bool on;
	struct termios saved;
	bool has_saved;
	int fd; /* of keys */
	int esc_wait; /* ms */
	const char *bad_color;
	char leave[128]; /* what a handler may write: ends keypad mode, colours, alternate screen */
	size_t leave_len;
	struct sigaction old_end[NR_END], old_winch, old_tstp, old_cont;
} term = { .fd = -1 };

static volatile sig_atomic_t resized, stopped, continued;

/* Standard input may come from elsewhere, but the terminal must be ours to read. */
static bool has_keys(void)
{
	int fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);

	if (fd >= 0)
		close(fd);
	return fd >= 0 || isatty(STDIN_FILENO);
}

bool term__can(const char **ret_why)
{
	const char *name = getenv("TERM");

	*ret_why = NULL;
	if (!isatty(STDOUT_FILENO))
		*ret_why = "standard output is not a terminal";
	else if (!has_keys())
		*ret_why = "there is no terminal to read keys from";
	else if (!name || !*name)
		*ret_why = "TERM is not set";
	else if (SLtt_initialize(NULL) < 0)
		*ret_why = "the terminal that TERM names is unknown, or cannot move its cursor";
	return !*ret_why;
}

/* --- signals --- */

/* As the terminal was; only what a signal handler may call. */
static void restore_raw(void)
{
	ssize_t n = write(STDOUT_FILENO, term.leave, term.leave_len);

	(void)n;
	if (term.has_saved)
		tcsetattr(STDOUT_FILENO, TCSANOW, &term.saved);
}

static void on_end(int sig, siginfo_t *info, void *ctx)
{
	size_t i;

	restore_raw();
	for (i = 0; i < NR_END; i++) {
		const struct sigaction *old = &term.old_end[i];

		if (end_signals[i] != sig)
			continue;
		if (old->sa_flags & SA_SIGINFO && old->sa_sigaction)
			old->sa_sigaction(sig, info, ctx); /* ends the program */
		else if (old->sa_handler != SIG_DFL && old->sa_handler != SIG_IGN)
			old->sa_handler(sig);
	}
	signal(sig, SIG_DFL);
	raise(sig);
}

static void on_flag(int sig)
{
	if (sig == SIGWINCH)
		resized = 1;
	else if (sig == SIGTSTP)
		stopped = 1;
	else
		continued = 1;
}

static void take_signals(void)
{
	/* no SA_RESTART: waiting for a key ends */
	struct sigaction end = { .sa_sigaction = on_end, .sa_flags = SA_SIGINFO };
	struct sigaction flag = { .sa_handler = on_flag };
	sigset_t set;
	size_t i;

	for (i = 0; i < NR_END; i++) {
		sigaction(end_signals[i], NULL, &term.old_end[i]);
		if (term.old_end[i].sa_handler != SIG_IGN)
			sigaction(end_signals[i], &end, NULL);
	}
	sigaction(SIGWINCH, &flag, &term.old_winch);
	sigaction(SIGTSTP, &flag, &term.old_tstp);
	sigaction(SIGCONT, &flag, &term.old_cont);
	/* perf starts its subcommands with SIGWINCH blocked */
	sigemptyset(&set);
	sigaddset(&set, SIGWINCH);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static void give_signals(void)
{
	size_t i;

	for (i = 0; i < NR_END; i++)
		sigaction(end_signals[i], &term.old_end[i], NULL);
	sigaction(SIGWINCH, &term.old_winch, NULL);
	sigaction(SIGTSTP, &term.old_tstp, NULL);
	sigaction(SIGCONT, &term.old_cont, NULL);
}

/* --- start and stop --- */

static void get_size(void)
{
	struct winsize ws;

	SLtt_get_screen_size();
	/* slang takes a very wide or high screen for an error */
	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) && ws.ws_row && ws.ws_col) {
		SLtt_Screen_Rows = ws.ws_row < 500 ? ws.ws_row : 500;
		SLtt_Screen_Cols = ws.ws_col < LINE_MAX_COLUMNS ? ws.ws_col : LINE_MAX_COLUMNS;
	}
}

static void note_leave(void)
{
	/* rmkx, sgr0, cnorm, rmcup */
	static const char *const caps[] = { "ke", "me", "ve", "te" };
	size_t i;

	term.leave_len = 0;
	for (i = 0; i < sizeof(caps) / sizeof(caps[0]); i++) {
		const char *s = SLtt_tgetstr((char *)caps[i]);
		size_t len = s ? strlen(s) : 0;

		if (term.leave_len + len > sizeof(term.leave))
			continue;
		memcpy(term.leave + term.leave_len, s ? s : "", len);
		term.leave_len += len;
	}
}

static bool no_color(void)
{
	const char *no = getenv("NO_COLOR");

	return no && *no;
}

static int esc_wait(void)
{
	const char *delay = getenv("ESCDELAY");
	int ms = delay ? atoi(delay) : 0;

	return ms > 0 && ms <= 10000 ? ms : ESC_WAIT_MS;
}

/* What terminals send whose TERM says something else (tmux, screen, ssh from elsewhere). */
static void define_keys(void)
{
	static const struct {
		const char *sequence;
		unsigned key;
	} more[] = {
		{ "^[[Z", KEYSYM_BACKTAB }, { "^[[1~", SL_KEY_HOME },  { "^[[7~", SL_KEY_HOME },
		{ "^[[H", SL_KEY_HOME },    { "^[OH", SL_KEY_HOME },   { "^[[4~", SL_KEY_END },
		{ "^[[8~", SL_KEY_END },    { "^[[F", SL_KEY_END },    { "^[OF", SL_KEY_END },
		{ "^[[5~", SL_KEY_PPAGE },  { "^[[6~", SL_KEY_NPAGE }, { "^[[A", SL_KEY_UP },
		{ "^[OA", SL_KEY_UP },      { "^[[B", SL_KEY_DOWN },   { "^[OB", SL_KEY_DOWN },
		{ "^[[C", SL_KEY_RIGHT },   { "^[OC", SL_KEY_RIGHT },  { "^[[D", SL_KEY_LEFT },
		{ "^[OD", SL_KEY_LEFT },    { "^[OP", SL_KEY_F(1) },   { "^[[11~", SL_KEY_F(1) },
		{ "^[[3~", SL_KEY_DELETE },
	};
	size_t i;

	for (i = 0; i < sizeof(more) / sizeof(more[0]); i++)
		SLkp_define_keysym((char *)more[i].sequence, more[i].key);
}

/* Raw keys, no signals from them but what the kernel sends anyway. */
static int open_keys(void)
{
	int ret = SLang_init_tty(0, 0, 0);

	term.fd = SLang_TT_Read_FD;
	return ret;
}

int term__start(const char **ret_why)
{
	if (!term__can(ret_why))
		return -1;
	SLutf8_enable(!strcmp(nl_langinfo(CODESET), "UTF-8"));
	get_size();
	note_leave();
	term.has_saved = !tcgetattr(STDOUT_FILENO, &term.saved);
	if (SLkp_init() < 0 || open_keys() < 0) {
		*ret_why = "the terminal cannot be opened";
		return -1;
	}
	term.esc_wait = esc_wait();
	take_signals();
	define_keys();
	if (no_color())
		SLtt_Use_Ansi_Colors = 0;
	if (SLsmg_init_smg() < 0) {
		SLang_reset_tty();
		give_signals();
		*ret_why = "out of memory for the screen";
		return -1;
	}
	term.bad_color = theme__init();
	term.on = true;
	return 0;
}

const char *term__bad_color(void)
{
	return term.bad_color;
}

void term__stop(void)
{
	if (!term.on)
		return;
	term.on = false;
	SLtt_set_cursor_visibility(1);
	SLsmg_reset_smg();
	SLang_reset_tty();
	give_signals();
}

/* ^Z, or a SIGTSTP from elsewhere: out of the way until `fg`. */
static void suspend(void)
{
	struct sigaction flag;
	sigset_t set, mask;

	stopped = 0;
	SLtt_set_cursor_visibility(1);
	SLsmg_suspend_smg();
	SLang_reset_tty();
	/* to whoever caught it before: main() also stops the perf that waits for us */
	sigaction(SIGTSTP, &term.old_tstp, &flag);
	sigemptyset(&set);
	sigaddset(&set, SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &set, &mask);
	raise(SIGTSTP);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	sigaction(SIGTSTP, &flag, NULL);
	open_keys();
	get_size();
	SLsmg_resume_smg();
	SLsmg_reinit_smg();
	resized = continued = 0;
}

/* --- drawing --- */

unsigned term__rows(void)
{
	return (unsigned)SLtt_Screen_Rows;
}

unsigned term__columns(void)
{
	return (unsigned)SLtt_Screen_Cols;
}

void term__clear(void)
{
	SLsmg_set_color(THEME_NORMAL + 1);
	SLsmg_cls();
}

/* Where the locale has no UTF-8, a character of several bytes is a '?'. */
static void write_text(const char *s, unsigned len)
{
	char buf[4 * LINE_MAX_COLUMNS + 1];
	unsigned i, n = 0;

	if (SLsmg_is_utf8_mode()) {
		SLsmg_write_nchars((char *)s, len);
		return;
	}
	for (i = 0; i < len; i++)
		if ((s[i] & 0xc0) != 0x80)
			buf[n++] = s[i] & 0x80 ? '?' : s[i];
	SLsmg_write_nchars(buf, n);
}

void term__draw(unsigned row, const struct line *l, enum theme rest, bool selected)
{
	unsigned i;

	SLsmg_gotorc((int)row, 0);
	for (i = 0; i < l->nr_runs; i++) {
		unsigned end = i + 1 < l->nr_runs ? l->run[i + 1].at : l->len;

		SLsmg_set_color((selected ? THEME_SELECTED : l->run[i].theme) + 1);
		write_text(l->text + l->run[i].at, end - l->run[i].at);
	}
	SLsmg_set_color((selected ? THEME_SELECTED : rest) + 1);
	SLsmg_erase_eol();
}

void term__refresh(int row, int column)
{
	SLtt_set_cursor_visibility(row >= 0);
	SLsmg_gotorc(row < 0 ? SLtt_Screen_Rows - 1 : row,
		     column < 0 ? SLtt_Screen_Cols - 1 : column);
	SLsmg_refresh();
}

/* --- keys --- */

static int redraw(void)
{
	resized = 0;
	if (continued) { /* stopped by SIGSTOP, which nothing can catch */
		continued = 0;
		SLang_reset_tty();
		open_keys();
		SLsmg_suspend_smg();
		SLsmg_resume_smg();
	}
	get_size();
	SLsmg_reinit_smg();
	return KEY_REDRAW;
}

/* 1: there is a byte; 0: none came in time; -1: a signal did */
static int wait_byte(int ms)
{
	struct pollfd pfd = { .fd = term.fd, .events = POLLIN };
	int n = poll(&pfd, 1, ms);

	if (n < 0)
		return errno == EINTR ? -1 : 1;
	return n > 0;
}

static int from_slang(int key)
{
	static const struct {
		int slang, key;
	} map[] = {
		{ SL_KEY_UP, KEY_UP },
		{ SL_KEY_DOWN, KEY_DOWN },
		{ SL_KEY_LEFT, KEY_LEFT },
		{ SL_KEY_RIGHT, KEY_RIGHT },
		{ SL_KEY_PPAGE, KEY_PAGE_UP },
		{ SL_KEY_NPAGE, KEY_PAGE_DOWN },
		{ SL_KEY_A3, KEY_PAGE_UP },
		{ SL_KEY_C3, KEY_PAGE_DOWN },
		{ SL_KEY_HOME, KEY_HOME },
		{ SL_KEY_END, KEY_END },
		{ SL_KEY_A1, KEY_HOME },
		{ SL_KEY_C1, KEY_END },
		{ SL_KEY_ENTER, KEY_ENTER },
		{ SL_KEY_BACKSPACE, KEY_BACKSPACE },
		{ SL_KEY_DELETE, KEY_DELETE },
		{ SL_KEY_F(1), KEY_F1 },
		{ KEYSYM_BACKTAB, KEY_BACKTAB },
		{ '\r', KEY_ENTER },
		{ '\n', KEY_ENTER },
		{ 0x7f, KEY_BACKSPACE },
		{ '\b', KEY_BACKSPACE },
	};
	size_t i;

	for (i = 0; i < sizeof(map) / sizeof(map[0]); i++)
		if (map[i].slang == key)
			return map[i].key;
	return key < 0x100 ? key : KEY_UNKNOWN;
}

/* The next byte comes in time; a signal does not end the waiting. */
static bool has_byte(int ms)
{
	int n;

	if (SLang_input_pending(0) > 0)
		return true;
	while ((n = wait_byte(ms)) < 0)
		;
	return n;
}

/* 033 has been read: is it the key, or does a sequence begin with it? */
static bool is_escape_alone(void)
{
	unsigned next;

	if (!has_byte(term.esc_wait))
		return true;
	next = SLang_getkey();
	if (next == SLANG_GETKEY_ERROR)
		return true;
	SLang_ungetkey((unsigned char)next);
	/* else a key that was typed right behind it */
	return next != '[' && next != 'O';
}

/* ESC O x, ESC [ .. x, and ESC [ [ x of the Linux console */
static bool is_whole(const unsigned char *s, unsigned n)
{
	if (n < 2)
		return false;
	if (s[0] == 'O' || (n == 3 && s[1] == '['))
		return true;
	return s[n - 1] >= 0x40 && s[n - 1] <= 0x7e && !(n == 2 && s[1] == '[');
}

/* slang itself would wait for the rest without an end. */
static int escape(void)
{
	unsigned char s[MAX_SEQUENCE];
	unsigned n = 0, c;

	if (is_escape_alone())
		return KEY_ESC;
	do {
		if (n == MAX_SEQUENCE || !has_byte(REST_WAIT_MS))
			return KEY_UNKNOWN;
		c = SLang_getkey();
		if (c == SLANG_GETKEY_ERROR)
			return KEY_GONE;
		if (c < ' ') { /* a key of its own: the sequence was cut off */
			SLang_ungetkey((unsigned char)c);
			return KEY_UNKNOWN;
		}
		s[n++] = (unsigned char)c;
	} while (!is_whole(s, n));
	SLang_ungetkey_string(s, n);
	SLang_ungetkey(033);
	return from_slang((int)SLkp_getkey());
}

bool term__stop_asked(void)
{
	unsigned c;

	if (!SLang_input_pending(0) && wait_byte(0) <= 0)
		return false;
	c = SLang_getkey();
	if (c == SLANG_GETKEY_ERROR || c == ('C' & 0x1f))
		return true;
	if (c == 033 && is_escape_alone())
		return true;
	SLang_ungetkey((unsigned char)c);
	return false;
}

int term__key(void)
{
	unsigned c;

	for (;;) {
		if (stopped) {
			suspend();
			return KEY_REDRAW;
		}
		if (resized || continued)
			return redraw();
		if (SLang_input_pending(0) > 0 || wait_byte(-1) > 0)
			break;
	}
	c = SLang_getkey();
	if (c == SLANG_GETKEY_ERROR)
		return KEY_GONE;
	if (c == 033)
		return escape();
	if (c == ('Z' & 0x1f)) {
		suspend();
		return KEY_REDRAW;
	}
	return from_slang((int)c);
}
