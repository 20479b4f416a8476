CREATE TABLE config_item (
    item_key varchar NOT NULL PRIMARY KEY,
    value text NOT NULL,
    ctype varchar NOT NULL
);

CREATE TABLE config_document (
    name varchar NOT NULL PRIMARY KEY,
    json text NOT NULL
);

CREATE TABLE country (
    id varchar NOT NULL PRIMARY KEY,
    code varchar NOT NULL,
    name varchar NOT NULL,
    name_ar varchar NOT NULL,
    tel_code varchar NOT NULL,
    general_rank integer NOT NULL,
    position integer NOT NULL
);
