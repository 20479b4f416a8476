-- Keys: builds. Arguments: own build, lifetime in seconds. Returns the previous build.
local current = redis.call('HGET', KEYS[1], 'current')
if current ~= ARGV[1] then
  if current then redis.call('HSET', KEYS[1], 'former', current) end
  redis.call('HSET', KEYS[1], 'current', ARGV[1])
end
redis.call('EXPIRE', KEYS[1], ARGV[2])
return redis.call('HGET', KEYS[1], 'former')
