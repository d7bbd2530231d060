/* SPDX-License-Identifier: GPL-2.0 */
/*
 * evstr: event names as perf's -e takes them, as text: lists, terms, what kind of event.
 *
 * "cycles:u,{cache-misses,cpu/event=0x3c/}:S,sched:sched_switch" is a list of three. Nothing here
 * knows whether an event exists; that is asked of the kernel in events.c and of perf in probe.c.
 */
#ifndef MIG_EVSTR_H
#define MIG_EVSTR_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Length of the first element of a comma list, braces and slashes kept together. The element
 * after it starts behind the comma, if list[len] is one.
 */
size_t evstr__len(const char *list);

/* A tracepoint or probe: "sys:name", also "sys:*"; "cycles:u" is not one (u is a modifier). */
bool evstr__is_tracepoint(const char *ev);

/* One of the kernel's software counters, or a tracepoint: costs no counter of the PMU. */
bool evstr__is_software(const char *ev);

/* The event without terms and modifiers: "cache-misses" of "cache-misses/call-graph=no/u". */
void evstr__name(const char *ev, char *buf, size_t size);

/*
 * ev with the term added, in a string the caller frees: "cycles:u" and "period=100" give
 * "cycles/period=100/u". In a group the term goes to every member. NULL without memory.
 */
char *evstr__add_term(const char *ev, const char *term);

#endif
