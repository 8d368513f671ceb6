# SPDX-License-Identifier: MIT
"""A Slurm cluster of one node in a folder, for tests: its own munge, controller and node daemon on
ports of its own. It needs neither root nor a configuration of the machine, and touches none."""
import getpass
import os
import pathlib
import secrets
import shutil
import socket
import subprocess
import time

LIMIT = 120  # seconds that a daemon may take to answer on a busy machine
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol", "sinfo")

CONFIGURATION = """\
ClusterName=rdt
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
ReturnToService=2
KillWait=5
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_interval=1
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for s in sockets:
        s.bind(("127.0.0.1", 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def missing_programs():
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    return [name for name in PROGRAMS if shutil.which(name, path=path) is None]


class Cluster:
    def __init__(self, folder, cpus=2):
        self.folder = pathlib.Path(folder)
        self.host = socket.gethostname().split(".")[0]
        self.environment = dict(os.environ, SLURM_CONF=str(self.folder / "slurm.conf"),
                                PATH=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
        for name in [n for n in self.environment if n.startswith(("SLURM_", "SBATCH_")) and n != "SLURM_CONF"]:
            del self.environment[name]  # variables of a job that may run this test
        self.daemons = []
        self.folder.chmod(0o755)
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        key = self.folder / "munge.key"
        key.write_bytes(secrets.token_bytes(128))
        key.chmod(0o600)
        controller_port, node_port = free_ports(2)
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(
            host=self.host, folder=self.folder, user=getpass.getuser(), cpus=cpus,
            controller_port=controller_port, node_port=node_port))
        try:
            self.start("munged", "--foreground", "--force", f"--socket={self.folder}/munge.socket",
                       f"--key-file={key}", f"--log-file={self.folder}/munged.log",
                       f"--pid-file={self.folder}/munged.pid", f"--seed-file={self.folder}/munge.seed")
            self.wait_for("munge", (self.folder / "munge.socket").exists)
            self.start("slurmctld", "-D")
            self.start("slurmd", "-D")
            self.wait_for("an idle node", lambda: self.run("sinfo", "-h", "-o", "%T").stdout.strip() == "idle")
        except BaseException:
            self.stop()
            raise

    def start(self, *words):
        with open(self.folder / f"{words[0]}.out", "w") as log:
            self.daemons.append(subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                                 env=self.environment, start_new_session=True))

    def run(self, *words, **more):
        return subprocess.run([str(w) for w in words], capture_output=True, text=True, env=self.environment,
                              stdin=subprocess.DEVNULL, timeout=600, **more)

    def wait_for(self, what, found):
        end = time.monotonic() + LIMIT
        while not found():
            for daemon in self.daemons:
                if daemon.poll() is not None:
                    raise RuntimeError(f"{daemon.args[0]} ended: {self.logs()}")
            if time.monotonic() > end:
                raise RuntimeError(f"no {what}: {self.logs()}")
            time.sleep(0.1)

    def logs(self):
        return "\n".join(f"{p.name}: {p.read_text(errors='replace')[-800:]}"
                         for p in sorted([*self.folder.glob("*.out"), *self.folder.glob("*.log")]))

    def jobs(self):
        """Tasks that wait or run, as 12_3; those that wait together are one word, as 12_[3-5]."""
        return self.run("squeue", "-h", "-o", "%i").stdout.split()

    def stop(self):
        if len(self.daemons) == 3:
            self.run("scancel", "--user", getpass.getuser())
        for daemon in reversed(self.daemons):
            daemon.terminate()
            try:
                daemon.wait(timeout=30)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        self.daemons = []
