-- Keys: entry. Arguments: fill id, value. Replaces the bodies of the same fill.
if redis.call('GETRANGE', KEYS[1], 3, 18) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
return 1
