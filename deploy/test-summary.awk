# Sums up what `make test` printed: the ten slowest tests, the tests that failed with their reasons, the flaky
# ones, which passed when repeated, and how many passed and failed. `failed` is the number of parts that failed:
# one without a failed test counts as one. Exits with status 1 if more than MAX_FLAKY tests are flaky.
BEGIN { MAX_FLAKY = 2 }
function because(name, text) {
  if (!(name in reason)) reason[name] = substr(text, 1, 400)
}

# Keeps the ten slowest tests, the slowest first.
function rank(name, seconds,    at) {
  for (at = 10; at > 0 && seconds > slowest[at]; at--) {
    slowest[at + 1] = slowest[at]
    slow_name[at + 1] = slow_name[at]
  }
  slowest[at + 1] = seconds
  slow_name[at + 1] = name
}

{ gsub(/\033\[[0-9;]*m/, "") }

# Rust: where a test panicked is one line, why is the next.
panicked { because(panicked, at ": " $0); panicked = "" }
/^thread .* panicked at / {
  split($0, quoted, "\047")
  panicked = quoted[2]
  at = $0
  sub(/.* panicked at /, "", at)
  sub(/:$/, "", at)
}
/^     Running sahm-/ { binary = $2 " " $3 }
/^test .* \.\.\. FAILED/ { named[$2] = 1 }
/^test .* \.\.\. .* <[0-9.]+s>$/ {
  seconds = $NF
  gsub(/[<>s]/, "", seconds)
  rank(binary " " $2, seconds + 0)
}
/^test result: / { passed += $4; wrong += $6 }

# Vitest: the names of one failure, its reason, later what was there and should not be.
failing && !/^ *FAIL  / && NF {
  for (name in open) because(name, $0)
  failing = 0
}
/^ *FAIL  / {
  if (!failing) delete open
  sub(/^ *FAIL  */, "")
  named[$0] = open[$0] = failing = 1
}
/^\+   / {
  for (name in open) reason[name] = substr(reason[name] " " $0, 1, 800)
  delete open
}
# A file, `✓ |src| src/lib/format.test.ts (12 tests) 9876ms`, then its slow tests, deeper.
/^ +[^ ]+ .*\([0-9]+ tests?.*\) [0-9]+ ?ms$/ {
  for (i = 2; i <= NF; i++) if ($i ~ /\.test\./) file = $i
  next
}
/^ +(✓|×) .* [0-9]+ ?ms$/ {
  seconds = $NF
  sub(/ms$/, "", seconds)
  sub(/^ +(✓|×) /, "")
  sub(/ +[0-9]+ ?ms$/, "")
  rank(file " " $0, seconds / 1000)
}
/^ *Tests  / {
  for (i = 2; i < NF; i++) {
    if ($(i + 1) ~ /^passed/) passed += $i
    if ($(i + 1) ~ /^failed/) wrong += $i
  }
}

# Playwright: a test with its time, `✓  114 [ar-sa pc light] › e2e/news.test.ts:31:3 › … (1.4s)`.
/^ +[^ ]+ +[0-9]+ \[[^]]*\] › .* \([0-9.]+(ms|s|m)\)$/ {
  seconds = $NF
  gsub(/[()]/, "", seconds)
  if (seconds ~ /ms$/) seconds /= 1000
  else if (seconds ~ /m$/) seconds *= 60
  sub(/^ +[^ ]+ +[0-9]+ /, "")
  sub(/ \([^(]*\)$/, "")
  rank($0, seconds + 0)
}
# The name of one failure, then its reason and the values that differ, until the line of the test.
/^  [0-9]+\) \[/ {
  sub(/^  [0-9]+\) /, "")
  sub(/ *(─)*$/, "")
  failure = $0
  named[failure] = 1
  next
}
failure && NF {
  if (/^ *> [0-9]+ \|/ || /^ +at /) failure = ""
  else if (!(failure in reason)) { sub(/^ +/, ""); because(failure, $0) }
  else if (/^ +(Expected|Received|[-+] )/) { gsub(/ +/, " "); reason[failure] = substr(reason[failure] $0, 1, 800) }
}
/^ +[0-9]+ passed \(/ { passed += $1 }
/^ +[0-9]+ failed$/ { wrong += $1 }
/^ +[0-9]+ flaky$/ { is_flaky = 1; next }
is_flaky && /^    \[/ { sub(/^ +/, ""); sub(/ *(─)*$/, ""); flaky[$0] = 1; next }
{ is_flaky = 0 }

# Counted as failed before.
/^flaky: / { flaky[$4] = 1; wrong-- }

END {
  print "slowest tests:"
  for (at = 1; at <= 10 && slowest[at]; at++) printf "%7.1f s  %s\n", slowest[at], slow_name[at]
  for (name in named) print (name in flaky ? "flaky: " : "failed: ") name (name in reason ? ": " reason[name] : "")
  for (name in flaky) count++
  printf "%d passed, %d failed, %d flaky\n", passed, (wrong > failed ? wrong : failed), count
  if (count > MAX_FLAKY) print "failed: more than " MAX_FLAKY " flaky tests"
  exit (count > MAX_FLAKY)
}
