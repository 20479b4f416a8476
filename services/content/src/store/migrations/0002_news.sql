CREATE TABLE article_text (
    id bigint NOT NULL,
    locale varchar(5) NOT NULL,
    sample boolean NOT NULL,
    market varchar(8) NOT NULL,
    title text NOT NULL,
    summary text NOT NULL,
    body_html text NOT NULL,
    published_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    author text NOT NULL,
    image_name varchar(32),
    image_alt text NOT NULL,
    image_width bigint NOT NULL,
    image_height bigint NOT NULL,
    reading_minutes bigint NOT NULL,
    PRIMARY KEY (id, locale)
);

CREATE TABLE article_listing (
    list varchar(8) NOT NULL,
    locale varchar(5) NOT NULL,
    published_at bigint NOT NULL,
    id bigint NOT NULL,
    PRIMARY KEY (list, locale, published_at, id)
);
-- Finds the lists that hold an article.
CREATE INDEX article_listing_item ON article_listing (id, locale);

CREATE TABLE article_read (
    id bigint PRIMARY KEY,
    count bigint NOT NULL
);

CREATE TABLE media (
    name varchar(32) NOT NULL PRIMARY KEY,
    content_type varchar(32) NOT NULL,
    body bytea NOT NULL
);

CREATE TABLE news_tab (
    id bigint PRIMARY KEY,
    name text NOT NULL,
    name_sa text NOT NULL,
    market varchar(8) NOT NULL,
    position bigint NOT NULL
);

CREATE TABLE seed_mark (
    kind varchar(32) NOT NULL PRIMARY KEY,
    seeded_at bigint NOT NULL
);
