# Sums up what `make test` printed: the tests that failed with their reasons, what passed when
# repeated, and how many passed and failed. `failed` is the number of parts that failed: one without
# a failed test counts as one.
function because(name, text) {
  if (!(name in reason)) reason[name] = substr(text, 1, 400)
}

{ gsub(/\033\[[0-9;]*m/, "") }

# Rust: where a test panicked stands in a line, why in the next.
panicked { because(panicked, at ": " $0); panicked = "" }
/^thread .* panicked at / {
  split($0, quoted, "\047")
  panicked = quoted[2]
  at = $0
  sub(/.* panicked at /, "", at)
  sub(/:$/, "", at)
}
/^test .* \.\.\. FAILED$/ { named[$2] = 1 }
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
/^ *Tests  / {
  for (i = 2; i < NF; i++) {
    if ($(i + 1) ~ /^passed/) passed += $i
    if ($(i + 1) ~ /^failed/) wrong += $i
  }
}

/^unsteady: / { unsteady[$0] = 1 }

END {
  for (name in named) print "failed: " name (name in reason ? ": " reason[name] : "")
  for (line in unsteady) print line
  printf "%d passed, %d failed\n", passed, (wrong > failed ? wrong : failed)
}
