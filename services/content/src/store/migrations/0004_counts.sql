-- A reader counts once for each entry.
CREATE TABLE entry_reader (
    shelf varchar(20) NOT NULL,
    id bigint NOT NULL,
    reader varchar(140) NOT NULL,
    PRIMARY KEY (shelf, id, reader)
);

-- Read counts of news move to those of all entries.
INSERT INTO entry_count (shelf, id, reads, likes) SELECT 'news', id, count, 0 FROM article_read;
DROP TABLE article_read;
