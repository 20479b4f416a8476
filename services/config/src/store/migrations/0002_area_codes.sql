ALTER TABLE country ADD COLUMN area_code integer NOT NULL DEFAULT 0;
-- Countries that were imported before have the seed's code too.
UPDATE country SET area_code = 74 WHERE code = 'SAU';
