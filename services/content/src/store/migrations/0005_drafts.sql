-- Texts that are not published.
CREATE TABLE draft (
    draft_type varchar(80) NOT NULL,
    shelf varchar(20) NOT NULL,
    id bigint NOT NULL,
    locale varchar(5) NOT NULL,
    position bigint NOT NULL,
    slug text NOT NULL,
    published_at bigint NOT NULL,
    imported_at bigint NOT NULL,
    head text NOT NULL,
    body_html text NOT NULL,
    PRIMARY KEY (draft_type, shelf, id, locale)
);
