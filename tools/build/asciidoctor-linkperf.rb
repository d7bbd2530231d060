# SPDX-License-Identifier: GPL-2.0
#
# linkperf: the macro of perf's manual pages, linkperf:perf-record[1] -> perf-record(1).

require 'asciidoctor/extensions' unless RUBY_ENGINE == 'opal'

Asciidoctor::Extensions.register do
  inline_macro :linkperf do
    process do |parent, target, attrs|
      create_inline parent, :quoted, "#{target}(#{attrs[1]})", type: :strong
    end
  end
end
