CREATE INDEX feedback_age ON feedback (created_at);
