"""Starts every process as its pod would, without a container engine:

    unshare --mount --net check.py MANIFEST BIN_DIR NODE POSTGRES_BIN

Needs root. It creates a network namespace in which the manifest's host names resolve to this machine. Each
process runs with the command and environment of MANIFEST (secrets replaced by samples), the image's user, no
capabilities, a read-only root and an empty /data. Migrations run first, as jobs. Every process must become
ready, the gateway must serve a rendered page, and each process must exit with 0 in time after SIGTERM.
"""
import fcntl
import os
import pathlib
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request

import yaml

ROOT = pathlib.Path(__file__).parent.parent.parent
CONFINED = """mount -t tmpfs -o uid=65532,gid=65532 tmpfs "$1" && mount -o remount,ro,bind / && shift &&
exec setpriv --reuid 65532 --regid 65532 --clear-groups --no-new-privs --bounding-set=-all "$@" """
SAMPLES = {
    "SAHM_CALLER_TOKENS": "gateway=" + "x" * 32,
    "SAHM_SESSION_KEYS": "k" * 64,
    "SAHM_REDIS_URL": "redis://redis:6379",
}
DATABASE = "postgres://postgres@postgres/sahm"


def own_network(names: list[str]) -> None:
    """Brings loopback up and resolves every host name to it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, 0x8914, struct.pack("16sH", b"lo", 0x1 | 0x40))  # SIOCSIFFLAGS: up and running
    hosts = pathlib.Path(tempfile.mkstemp()[1])
    hosts.write_text("127.0.0.1 localhost " + " ".join(names) + "\n")
    hosts.chmod(0o644)
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    subprocess.run(["mount", "--bind", hosts, "/etc/hosts"], check=True)


def environment(container: dict, configs: dict, folder: pathlib.Path) -> dict[str, str]:
    env = {}
    for source in container.get("envFrom", []):
        env |= configs[source["configMapRef"]["name"]]
    for variable in container.get("env", []):
        key = variable["name"]
        if variable.get("valueFrom", {}).get("secretKeyRef", {}).get("optional"):
            continue
        sample = DATABASE if key.endswith("DATABASE_URL") else "s" * 32
        env[key] = variable.get("value") or SAMPLES.get(key, sample)
    # Paths that differ between the image and this machine.
    env.update(SAHM_SITE_DIR=str(ROOT / "frontend/dist"), SAHM_DATA_DIR=str(folder))
    # There is no collector here.
    env.pop("OTEL_EXPORTER_OTLP_ENDPOINT", None)
    return env


def start(name: str, command: list[str], env: dict[str, str], folder: pathlib.Path, log) -> subprocess.Popen:
    confined = ["unshare", "--mount", "sh", "-c", CONFINED, name, str(folder), *command]
    return subprocess.Popen(confined, env=env | {"PATH": os.environ["PATH"]}, cwd="/", stdout=log, stderr=log)


def get(url: str) -> tuple[int, str]:
    """Returns the status and the `x-page-cache` header; status 0 without a response."""
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return answer.status, answer.headers.get("x-page-cache", "")
    except OSError as error:
        return getattr(error, "code", 0), ""


def until(what: str, holds, process: subprocess.Popen | None = None, seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end or (process and process.poll() is not None):
            raise SystemExit(f"{what}: not within {seconds} s")
        time.sleep(0.1)


def main() -> int:
    manifest, programs, node, postgres = (pathlib.Path(a).resolve() for a in sys.argv[1:5])
    objects = [o for o in yaml.safe_load_all(manifest.read_text()) if o]
    configs = {o["metadata"]["name"]: o["data"] for o in objects if o["kind"] == "ConfigMap"}
    own_network([o["metadata"]["name"] for o in objects if o["kind"] == "Service"] + ["postgres", "redis"])
    work = pathlib.Path(tempfile.mkdtemp())
    work.chmod(0o755)
    running: dict[str, subprocess.Popen] = {}
    log = (work / "log").open("w")
    try:
        data, app = work / "data", work / "app"
        data.mkdir()
        app.mkdir()
        (app / "renderer.js").write_bytes((ROOT / "frontend/dist/server/renderer.js").read_bytes())
        (app / "package.json").write_bytes((ROOT / "deploy/images/renderer.package.json").read_bytes())
        (work / "pg").mkdir()
        subprocess.run(["chown", "postgres", work / "pg"], check=True)
        user = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--init-groups", "--"]
        subprocess.run([*user, postgres / "initdb", "-D", work / "pg", "-U", "postgres", "--auth=trust", "--no-sync"],
                       check=True, stdout=log, stderr=log, cwd="/")
        server = [*user, postgres / "postgres", "-D", work / "pg", "-c", "unix_socket_directories=", "-c", "max_connections=300"]
        running["postgres"] = subprocess.Popen(server, stdout=log, stderr=log, cwd="/")
        ask = ["-h", "127.0.0.1", "-U", "postgres"]
        until("postgres", lambda: subprocess.run([postgres / "pg_isready", "-q", *ask]).returncode == 0)
        subprocess.run([postgres / "createdb", *ask, "sahm"], check=True)

        for wanted in ("Job", "Deployment"):
            for o in (o for o in objects if o["kind"] == wanted):
                container = o["spec"]["template"]["spec"]["containers"][0]
                name = re.search(r"/sahm/([a-z]+)[:@]", container["image"])
                if not name:
                    continue
                command = [str(programs / f"sahm-{name[1]}"), *container.get("args", [])]
                if name[1] == "renderer":
                    command = [str(node), str(app / "renderer.js")]
                process = start(name[1], command, environment(container, configs, data), data, log)
                if wanted == "Job":
                    if process.wait(120) != 0:
                        raise SystemExit(f"{o['metadata']['name']} ends with {process.returncode}")
                    continue
                running[name[1]] = process
                port = next(p["containerPort"] for p in container["ports"] if p["name"] == "admin")
                ready = f"http://127.0.0.1:{port}/readyz"
                until(f"{name[1]} ready", lambda url=ready: get(url)[0] == 200, process)
        # A page without the renderer or without a part is a bypass or is not stored.
        until("a page from the cache", lambda: get("http://127.0.0.1:8080/en-us") == (200, "hit"))
        for name in [n for n in running if n != "postgres"]:
            began = time.monotonic()
            process = running.pop(name)
            process.send_signal(signal.SIGTERM)
            if process.wait(20) != 0:
                raise SystemExit(f"{name} ends with {process.returncode}")
            print(f"{name}: ready, and gone {time.monotonic() - began:.1f} s after SIGTERM", file=sys.stderr)
        return 0
    except BaseException:
        log.flush()
        print("".join((work / "log").read_text().splitlines(keepends=True)[-20:]), file=sys.stderr)
        raise
    finally:
        for process in running.values():
            process.send_signal(signal.SIGINT)
        for process in running.values():
            process.wait(20)
        subprocess.run(["rm", "-rf", work], check=False)


sys.exit(main())
