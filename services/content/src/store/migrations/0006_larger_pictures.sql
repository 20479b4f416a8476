ALTER TABLE article_text ADD COLUMN image_2x varchar(32);
ALTER TABLE article_text ADD COLUMN image_3x varchar(32);
