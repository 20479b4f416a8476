CREATE TABLE entry (
    shelf varchar(20) NOT NULL,
    id bigint NOT NULL,
    locale varchar(5) NOT NULL,
    slug text NOT NULL,
    published_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    head text NOT NULL,
    body_html text NOT NULL,
    PRIMARY KEY (shelf, id, locale)
);
CREATE INDEX entry_slug ON entry (shelf, slug);

CREATE TABLE entry_listing (
    list varchar(40) NOT NULL,
    locale varchar(5) NOT NULL,
    rank bigint NOT NULL,
    id bigint NOT NULL,
    shelf varchar(20) NOT NULL,
    published_at bigint NOT NULL,
    PRIMARY KEY (list, locale, rank, id)
);
-- Finds the lists that hold an entry.
CREATE INDEX entry_listing_item ON entry_listing (shelf, id, locale);
-- Finds the next entry to be published in a list.
CREATE INDEX entry_listing_time ON entry_listing (list, locale, published_at);

CREATE TABLE entry_count (
    shelf varchar(20) NOT NULL,
    id bigint NOT NULL,
    reads bigint NOT NULL,
    likes bigint NOT NULL,
    PRIMARY KEY (shelf, id)
);

CREATE TABLE entry_like (
    shelf varchar(20) NOT NULL,
    id bigint NOT NULL,
    voter varchar(140) NOT NULL,
    PRIMARY KEY (shelf, id, voter)
);

CREATE TABLE video_view (
    id bigint NOT NULL,
    viewer varchar(140) NOT NULL,
    position bigint NOT NULL,
    duration bigint NOT NULL,
    viewed_at bigint NOT NULL,
    PRIMARY KEY (id, viewer)
);
