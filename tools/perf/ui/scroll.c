// SPDX-License-Identifier: GPL-2.0
#include "scroll.h"

static void scroll__show(struct scroll *s)
{
	if (!s->height)
		s->height = 1;
	if (s->at >= s->nr)
		s->at = s->nr ? s->nr - 1 : 0;
	if (s->top > s->at)
		s->top = s->at;
	if (s->at - s->top >= s->height)
		s->top = s->at - s->height + 1;
	/* no empty screen below the end */
	if (s->top + s->height > s->nr)
		s->top = s->nr > s->height ? s->nr - s->height : 0;
}

void scroll__resize(struct scroll *s, unsigned nr, unsigned height)
{
	s->nr = nr;
	s->height = height;
	scroll__show(s);
}

void scroll__to(struct scroll *s, unsigned at)
{
	s->at = at;
	scroll__show(s);
}

void scroll__move(struct scroll *s, enum scroll_move move)
{
	switch (move) {
	case SCROLL_UP:
		s->at -= s->at > 0;
		break;
	case SCROLL_DOWN:
		s->at++;
		break;
	case SCROLL_PAGE_UP:
		s->at -= s->at > s->height ? s->height : s->at;
		s->top -= s->top > s->height ? s->height : s->top;
		break;
	case SCROLL_PAGE_DOWN:
		s->at += s->height;
		s->top += s->height;
		break;
	case SCROLL_HOME:
		s->at = 0;
		break;
	case SCROLL_END:
		s->at = s->nr;
		break;
	}
	scroll__show(s);
}
