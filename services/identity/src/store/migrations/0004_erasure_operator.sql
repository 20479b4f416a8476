ALTER TABLE member_erasure ADD COLUMN operator varchar;
