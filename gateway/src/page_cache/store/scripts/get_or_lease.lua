-- Keys: entry, lease, previous build's entry (or none). Arguments: fill id of the known entry,
-- token, lease ms. Returns entry, previous build's entry, 1 if the lease was granted.
local value = redis.call('GET', KEYS[1])
if value and string.sub(value, 4, 19) ~= ARGV[1] then return {value, false, 0} end
local previous_build = false
if KEYS[3] then previous_build = redis.call('GET', KEYS[3]) end
if redis.call('SET', KEYS[2], ARGV[2], 'NX', 'PX', ARGV[3]) then return {false, previous_build, 1} end
return {false, previous_build, 0}
