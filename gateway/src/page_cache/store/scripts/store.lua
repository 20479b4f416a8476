-- Keys: entry, lease, then each log's head and hard purges. Arguments: token, value, lifetime ms,
-- number of logs, id and sequence of each, tags. Returns 0 if stored, 1 if the lease is lost, 2 if purged.
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 1 end
redis.call('DEL', KEYS[2])
local logs = tonumber(ARGV[4])
for i = 0, logs - 1 do
  local head = redis.call('HMGET', KEYS[3 + 2 * i], 'id', 'since')
  local sequence = tonumber(ARGV[6 + 2 * i])
  if head[1] then
    if head[1] ~= ARGV[5 + 2 * i] or sequence < tonumber(head[2] or '0') then return 2 end
    for t = 5 + 2 * logs, #ARGV do
      local purged = redis.call('ZSCORE', KEYS[4 + 2 * i], ARGV[t])
      if purged and tonumber(purged) > sequence then return 2 end
    end
  end
end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 0
