CREATE TABLE change_log (
    sequence bigint PRIMARY KEY,
    tags text NOT NULL,
    soft boolean NOT NULL,
    time bigint NOT NULL
);
CREATE INDEX change_log_time ON change_log (time);

CREATE TABLE change_log_meta (
    id integer PRIMARY KEY,
    log_id varchar(32) NOT NULL,
    last_sequence bigint NOT NULL,
    pruned_through bigint NOT NULL
);
