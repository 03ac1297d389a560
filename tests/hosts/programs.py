"""Programs in C, JavaScript and Java that answer with the first legal move, and do something else besides.

`BESIDE` runs in threads of its own from the first message on, `ASKED` before every answer.
"""

import shutil
import subprocess
from pathlib import Path

import pytest

from arena.bots.source import read_command
from arena.hosts.command import CommandHost
from arena.sandbox.template import Template

C = r"""
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void nap(long nanoseconds) {
    struct timespec t = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    nanosleep(&t, NULL);
}
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}
static volatile int asked;
static void *beside(void *unused) {
    (void)unused; (void)nap; (void)now; (void)asked;
    BESIDE
    return NULL;
}
int main(void) {
    static char line[1 << 20];
    for (int n = 0; n < THREADS; n++) {
        pthread_t thread;
        pthread_create(&thread, NULL, beside, NULL);
    }
    while (fgets(line, sizeof line, stdin)) {
        if (strstr(line, "\"hello\""))
            printf("{\"type\":\"ready\"}\n");
        char *id = strstr(line, "\"id\":\""), *legal = strstr(line, "\"legal\":[");
        if (id && legal) {
            ASKED
            printf("{\"id\":\"%.16s\",\"move\":%ld}\n", id + 6, strtol(legal + 9, NULL, 10));
            fflush(stdout);
            asked = 0;
        }
        fflush(stdout);
    }
    return 0;
}
"""

JAVASCRIPT = """
const lines = require("readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") console.log('{"type":"ready"}');
  if (message.type === "move") {
    ASKED
    console.log(`{"id":"${message.id}","move":${message.legal[0]}}`);
  }
});
BESIDE
"""

JAVA = r"""
import java.util.*;

public class Bot {
    static Object kept;
    public static void main(String[] arguments) {
        Scanner input = new Scanner(System.in);
        while (input.hasNextLine()) {
            String line = input.nextLine();
            if (line.contains("\"hello\"")) System.out.println("{\"type\":\"ready\"}");
            int id = line.indexOf("\"id\":\""), legal = line.indexOf("\"legal\":[");
            if (id >= 0 && legal >= 0) {
                ASKED
                String move = line.substring(legal + 9).split("[,\\]]")[0];
                System.out.println("{\"id\":\"" + line.substring(id + 6, id + 22) + "\",\"move\":" + move + "}");
            }
        }
    }
}
"""

BUILDS = {
    "c": (C, "bot.c", "cc -O1 -pthread -o bot bot.c", "./bot"),
    "javascript": (JAVASCRIPT, "bot.js", "node --check bot.js", "node bot.js"),
    "java": (
        JAVA,
        "Bot.java",
        "javac -d . Bot.java && jar cfe bot.jar Bot Bot.class",
        "java -XX:+UseSerialGC -jar bot.jar",
    ),
}


def host_of(
    language: str, template: Template, folder: Path, beside: str = "", asked: str = "", threads: int = 0
) -> CommandHost:
    """Build a program in a new folder and return its host; the test is skipped where there is no compiler."""
    text, name, make, run = BUILDS[language]
    if shutil.which(make.split()[0]) is None:
        pytest.skip(f"{make.split()[0]} is not installed")
    folder.mkdir()
    written = text.replace("BESIDE", beside).replace("ASKED", asked).replace("THREADS", str(threads))
    (folder / name).write_text(written)
    subprocess.run(make, shell=True, cwd=folder, check=True)
    return CommandHost(read_command(run.split(), folder.name, folder), template)
