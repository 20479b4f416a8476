-- Keys: the budget. Arguments: interval in microseconds, burst. Returns 0, or the microseconds until the next request
-- is allowed.
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local interval = tonumber(ARGV[1])
local until_ = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now) + interval
local latest = now + interval * tonumber(ARGV[2])
if until_ > latest then return until_ - latest end
redis.call('SET', KEYS[1], string.format('%.0f', until_), 'PX', math.ceil((until_ - now) / 1000))
return 0
