-- Exports and erasures read by member, the sweep by time.
CREATE INDEX entry_like_voter ON entry_like (voter);
CREATE INDEX entry_reader_reader ON entry_reader (reader);
CREATE INDEX video_view_viewer ON video_view (viewer);

-- Epoch seconds. Rows of earlier releases count from 28 November 2026, when this column was added.
ALTER TABLE entry_like ADD COLUMN liked_at bigint NOT NULL DEFAULT 1795824000;
ALTER TABLE entry_reader ADD COLUMN read_at bigint NOT NULL DEFAULT 1795824000;
CREATE INDEX entry_like_liked_at ON entry_like (liked_at);
CREATE INDEX entry_reader_read_at ON entry_reader (read_at);
CREATE INDEX video_view_viewed_at ON video_view (viewed_at);
