/* A bot in C: greedy, as bots/greedy.py. Teaches: the JSON-lines protocol without a JSON library.

   arena writes one JSON object per line to our stdin, and we write one per line to our stdout:

       > {"type":"hello","protocol":1}
       < {"type":"ready"}
       > {"type":"game","rule":"snort","size":25,"neighbours":[[1,5,6],...],...}
       > {"type":"move","id":"4f1c","to_move":0,"legal":[0,1,2],"owners":".....X...",...}
       < {"id":"4f1c","move":12}
       > {"type":"end","winner":0,"ending":"no-moves"}      then another game, or end of input

   Print for yourself to stderr; stdout is for answers alone. Lines of an unknown type are passed over, so that
   the bot lives on when the protocol grows. */

#define _POSIX_C_SOURCE 200809L /* for getline */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 4096 };

/* The board of the game: `around[c]` to `around[c + 1]` is the part of `cells` with the neighbours of c. */
static struct {
    int size;
    int closes_to_claimer, closes_to_opponent;
    int around[MOST_CELLS + 1];
    int *cells;
} board;

/* First the scanner, as small as can be: it trusts arena to send sound JSON.
   Return what follows a string; `at` is its opening quote. */
static const char *after_string(const char *at) {
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && at[1]) at++; /* an escaped quote does not end the string */
    return *at ? at + 1 : at;
}

/* Return the value of a field of the object on this line, or NULL. Fields of inner objects do not count. */
static const char *field(const char *line, const char *name) {
    int depth = 0;
    for (const char *at = line; *at;) {
        if (*at != '"') {
            depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
            at++;
            continue;
        }
        const char *key = at + 1;
        at = after_string(at);
        const char *next = at + strspn(at, " \t");
        size_t length = strlen(name);
        if (*next == ':' && depth == 1 && !strncmp(key, name, length) && key[length] == '"')
            return next + 1 + strspn(next + 1, " \t");
    }
    return NULL;
}

/* Whether a field is this string. */
static int is(const char *line, const char *name, const char *text) {
    const char *value = field(line, name);
    size_t length = strlen(text);
    return value && *value == '"' && !strncmp(value + 1, text, length) && value[length + 1] == '"';
}

/* Read the numbers of the list that begins at `*at` and move `*at` behind it; return how many there were. */
static int numbers(const char **at, int *into) {
    int count = 0;
    for ((*at)++; **at && **at != ']';) {
        char *end;
        long number = strtol(*at, &end, 10);
        if (end == *at)
            (*at)++; /* a comma or a space */
        else {
            into[count++] = (int)number;
            *at = end;
        }
    }
    if (**at) (*at)++;
    return count;
}

/* Read a board from the line that begins a game. */
static void begin_game(const char *line) {
    const char *size = field(line, "size"), *at = field(line, "neighbours");
    board.size = size ? atoi(size) : 0;
    if (!at || board.size < 1 || board.size > MOST_CELLS) exit(1);
    board.closes_to_claimer = !is(line, "rule", "snort");
    board.closes_to_opponent = !is(line, "rule", "col");
    free(board.cells);
    board.cells = malloc((strlen(at) + 1) * sizeof(int)); /* no list has more numbers than characters */
    if (!board.cells) exit(1);
    at++; /* into the list of lists */
    for (int cell = 0; cell < board.size; cell++) {
        at += strcspn(at, "[");
        board.around[cell + 1] = board.around[cell] + numbers(&at, board.cells + board.around[cell]);
    }
}

/* Mark the cells that the side with this stone may claim; `owners` has a letter per cell: X, O or a dot. */
static void mark_open(const char *owners, char stone, char *is_open) {
    for (int cell = 0; cell < board.size; cell++) {
        is_open[cell] = owners[cell] == '.';
        for (int i = board.around[cell]; i < board.around[cell + 1]; i++) {
            char neighbour = owners[board.cells[i]];
            if (neighbour == '.') continue;
            if (neighbour == stone ? board.closes_to_claimer : board.closes_to_opponent) is_open[cell] = 0;
        }
    }
}

/* Return how many of the open cells a claim closes; its neighbours only where the rule says so. */
static int closed_by(int cell, const char *is_open, int with_neighbours) {
    int count = is_open[cell];
    for (int i = board.around[cell]; with_neighbours && i < board.around[cell + 1]; i++)
        count += is_open[board.cells[i]];
    return count;
}

/* Return the move that closes most to the opponent, of equals the one that closes least to ourselves. */
static int best_move(const char *owners, int side, const int *legal, int count) {
    static char mine[MOST_CELLS], yours[MOST_CELLS];
    mark_open(owners, "XO"[side], mine);
    mark_open(owners, "OX"[side], yours);
    int best = legal[0], best_gain = -1, best_loss = 0;
    for (int i = 0; i < count; i++) {
        int gain = closed_by(legal[i], yours, board.closes_to_opponent);
        int loss = closed_by(legal[i], mine, board.closes_to_claimer);
        if (gain > best_gain || (gain == best_gain && loss < best_loss)) {
            best = legal[i];
            best_gain = gain;
            best_loss = loss;
        }
    }
    return best;
}

/* Answer a request for a move, with the id that it carries. */
static void answer(const char *line) {
    static int legal[MOST_CELLS];
    const char *id = field(line, "id"), *list = field(line, "legal");
    const char *owners = field(line, "owners"), *side = field(line, "to_move");
    if (!id || !list || !owners || !side) exit(1);
    int count = numbers(&list, legal);
    int move = best_move(owners + 1, *side == '1', legal, count); /* + 1: behind the quote */
    printf("{\"id\":%.*s,\"move\":%d}\n", (int)(after_string(id) - id), id, move);
}

int main(void) {
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) != -1) {
        if (is(line, "type", "hello"))
            puts("{\"type\":\"ready\"}");
        else if (is(line, "type", "game"))
            begin_game(line);
        else if (is(line, "type", "move"))
            answer(line);
        fflush(stdout); /* to a pipe, C keeps what is printed until told otherwise, and arena would wait */
    }
    free(line);
    free(board.cells);
    return 0;
}
