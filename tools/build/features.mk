# SPDX-License-Identifier: GPL-2.0
#
# features: what the libraries of this machine allow.
#
# $(O)/config.mk holds HAVE_X, X_CFLAGS and X_LIBS for each library that was found. It is made once
# and again only when the compiler or a switch changes; probe.sh prints the table and, for a missing
# required library, the package to install.

CONFIG_KEY := $(CC)|$(PKG_CONFIG)|$(NO_ZSTD)|$(NO_SLANG)

$(O)/config.key: FORCE
	@mkdir -p $(@D)
	@echo '$(CONFIG_KEY)' | cmp -s - $@ || echo '$(CONFIG_KEY)' > $@

$(O)/config.mk: $(O)/config.key tools/build/probe.sh $(wildcard tools/build/feature/*.c)
	@CC='$(CC)' PKG_CONFIG='$(PKG_CONFIG)' NO_ZSTD='$(NO_ZSTD)' NO_SLANG='$(NO_SLANG)' \
		sh tools/build/probe.sh $@

# Targets that compile nothing need no libraries.
NO_CONFIG_GOALS := clean distclean format doc man help demo deb coverage uninstall install-man
ifneq ($(filter-out $(NO_CONFIG_GOALS),$(or $(MAKECMDGOALS),all)),)
include $(O)/config.mk
endif

# Always linked; the optional ones are added where their files are chosen (Makefile).
FEATURE_CFLAGS = $(sort $(foreach f,LIBTRACEEVENT LIBELF LIBDW JANSSON ZLIB ZSTD SLANG,$($(f)_CFLAGS)))
FEATURE_LIBS = $(LIBTRACEEVENT_LIBS) $(LIBDW_LIBS) $(LIBELF_LIBS) $(JANSSON_LIBS) $(ZLIB_LIBS) $(ZSTD_LIBS)

# Seen by builtin-migstat.c alone, for `version --build-options`.
FEATURE_DEFINES = $(foreach f,LIBTRACEEVENT LIBELF LIBDW JANSSON ZLIB ZSTD SLANG,$(if $(HAVE_$(f)),-DHAVE_$(f)=1))
