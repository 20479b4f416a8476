-- One row, which numbers the events.
CREATE TABLE attribution_log (
    id integer PRIMARY KEY,
    last_sequence bigint NOT NULL
);
INSERT INTO attribution_log (id, last_sequence) VALUES (1, 0);

CREATE TABLE event (
    sequence bigint PRIMARY KEY,
    event_id varchar NOT NULL,
    event_name varchar NOT NULL,
    event_value text NOT NULL,
    member_id bigint NOT NULL,
    sell_client integer NOT NULL,
    device_no varchar NOT NULL,
    campaign varchar NOT NULL,
    channel varchar NOT NULL,
    day varchar NOT NULL,
    received_at bigint NOT NULL
);

CREATE TABLE event_count (
    day varchar NOT NULL,
    event_name varchar NOT NULL,
    campaign varchar NOT NULL,
    channel varchar NOT NULL,
    sell_client integer NOT NULL,
    events bigint NOT NULL,
    PRIMARY KEY (day, event_name, campaign, channel, sell_client)
);

CREATE TABLE sink (
    name varchar NOT NULL PRIMARY KEY,
    from_sequence bigint NOT NULL,
    position bigint NOT NULL,
    delivered bigint NOT NULL,
    failed_attempts integer NOT NULL,
    last_error text NOT NULL,
    last_delivered_at bigint NOT NULL,
    lease_owner varchar NOT NULL,
    lease_until bigint NOT NULL
);

CREATE TABLE dead_letter (
    sink varchar NOT NULL,
    sequence bigint NOT NULL,
    reason text NOT NULL,
    died_at bigint NOT NULL,
    replaying boolean NOT NULL,
    PRIMARY KEY (sink, sequence)
);

-- Finds earlier reports of an event by the index alone.
CREATE INDEX event_by_id ON event (event_id, received_at);
CREATE INDEX event_by_name ON event (event_name, sequence);
-- Most events are those of visitors, who have member id 0.
CREATE INDEX event_by_member ON event (member_id, sequence) WHERE member_id > 0;
