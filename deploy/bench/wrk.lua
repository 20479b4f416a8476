-- Script for wrk: sends a POST request with the body in the file that the first argument names, if there is one, and
-- prints the results as one line of JSON.

function init(arguments)
  if arguments[1] then
    local file = assert(io.open(arguments[1], "rb"))
    wrk.method, wrk.body = "POST", file:read("*a")
    file:close()
  end
end

function done(summary, latency)
  local errors = {}
  for name, count in pairs(summary.errors) do
    errors[#errors + 1] = string.format('"%s": %d', name, count)
  end
  io.write(string.format(
    '{"requests": %d, "bytes": %d, "seconds": %f, "p50_us": %f, "p99_us": %f, "errors": {%s}}\n',
    summary.requests, summary.bytes, summary.duration / 1e6, latency:percentile(50), latency:percentile(99),
    table.concat(errors, ", ")))
end
