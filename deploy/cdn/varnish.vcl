# Varnish as the CDN of docs/operations/cdn.md. Replace the host and port of the backend and the token of purges.
# Varnish asks the gateway for gzip and decompresses where a client does not accept it.
vcl 4.1;

import std;

backend default {
  .host = "127.0.0.1";
  .port = "8080";
}

sub vcl_recv {
  if (req.url == "/cdn-purge") {
    if (req.method != "POST" || req.http.authorization != "Bearer change-me") {
      return (synth(403, "Forbidden"));
    }
    # Tags consist of letters, digits and -_.: and nothing else.
    if (req.http.surrogate-key !~ "^[A-Za-z0-9:_.-]+( [A-Za-z0-9:_.-]+)*$") {
      return (synth(400, "Bad Request"));
    }
    set req.http.tags = regsuball(regsuball(req.http.surrogate-key, "\.", "[.]"), " ", "|");
    if (!std.ban("obj.http.surrogate-key ~ (?:^|[^!-~])(?:" + req.http.tags + ")(?:$|[^!-~])")) {
      return (synth(500, std.ban_error()));
    }
    return (synth(200, "Purged"));
  }

  # Only this file states a variant.
  unset req.http.x-page-variant;
  std.collect(req.http.cookie, "; ");

  # The gateway answers members, the native app, and whatever is not a page or a file. Queries that set a cookie too.
  if ((req.method != "GET" && req.method != "HEAD")
      || req.http.cookie ~ "(?i)(?:^|;)\s*(?:__host-)?sahm_session\s*="
      || !req.http.user-agent
      || req.http.user-agent ~ "SahmApp/"
      || req.url ~ "^/(?:api|_data|activitiesr|feature|preview)(?:/|\?|$)"
      || req.url ~ "[?&](?:lang|_pid|_scnl|_c)=") {
    return (pass);
  }

  # The variant: the locale of the visitor's cookie and the platform. A page without the hint has both themes.
  if (req.http.cookie ~ "(?i)(?:^|;)\s*lang=ar(?:[-_]sa)?\s*(?:;|$)") {
    set req.http.x-page-variant = "ar-sa";
  } else {
    set req.http.x-page-variant = "en-us";
  }
  if (req.http.user-agent ~ "(?i)mobi|android|iphone|ipad|ipod|tablet|kindle|silk/") {
    set req.http.x-page-variant = req.http.x-page-variant + ":mobile";
  } else {
    set req.http.x-page-variant = req.http.x-page-variant + ":pc";
  }
  unset req.http.sec-ch-prefers-color-scheme;
  return (hash);
}

sub vcl_backend_response {
  if (beresp.http.cdn-cache-control ~ "max-age=[0-9]+" && !beresp.http.set-cookie) {
    set beresp.ttl = std.duration(
      regsub(beresp.http.cdn-cache-control, "^.*max-age=([0-9]+).*$", "\1") + "s", 0s);
    if (beresp.http.age) {
      set beresp.ttl = beresp.ttl - std.duration(beresp.http.age + "s", 0s);
    }
    set beresp.grace = std.duration(
      regsub(beresp.http.cdn-cache-control, "^.*stale-while-revalidate=([0-9]+).*$", "\1") + "s", 0s);
    return (deliver);
  }
  if (beresp.http.cache-control ~ "(?i)immutable") {
    return (deliver);
  }
  # A short memory of what is not stored: the next response may be.
  set beresp.uncacheable = true;
  set beresp.ttl = 1s;
  set beresp.grace = 0s;
  return (deliver);
}

sub vcl_deliver {
  if (obj.hits > 0) {
    set resp.http.x-cdn-cache = "hit";
  } else {
    set resp.http.x-cdn-cache = "miss";
  }
  unset resp.http.surrogate-key;
  unset resp.http.cdn-cache-control;
}
