CREATE TABLE security (
    code varchar NOT NULL PRIMARY KEY,
    data_type bigint NOT NULL,
    exchange varchar NOT NULL,
    name varchar NOT NULL,
    name_sa varchar NOT NULL,
    level varchar NOT NULL,
    status integer NOT NULL,
    pre_ipo boolean NOT NULL
);

CREATE TABLE announcement (
    id bigint PRIMARY KEY,
    market varchar NOT NULL,
    published_at bigint NOT NULL,
    sample boolean NOT NULL,
    securities text NOT NULL
);

CREATE TABLE announcement_text (
    announcement_id bigint NOT NULL,
    locale varchar NOT NULL,
    published_at bigint NOT NULL,
    title text NOT NULL,
    summary text NOT NULL,
    source text NOT NULL,
    paragraphs text NOT NULL,
    PRIMARY KEY (announcement_id, locale)
);

CREATE INDEX announcement_text_list ON announcement_text (locale, published_at, announcement_id);
