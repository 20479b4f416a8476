-- Keys: lease, entry. Arguments: token, 1 to drop the entry too.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
if ARGV[2] == '1' then redis.call('DEL', KEYS[2]) end
return 1
