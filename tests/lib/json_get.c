/*
 * json_get FILE PATH: prints one value of a JSON file, for the test scripts.
 *
 * PATH is keys and array indices joined by dots ("bugs.0.kind"); "bugs.#" is the length of an array or object. A value
 * that is not there is an error (exit status 1), so a missing field can never pass for an empty one.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const json_t *step(const json_t *v, const char *key)
{
	if (json_is_array(v))
		return json_array_get(v, strtoul(key, NULL, 10));
	return json_object_get(v, key);
}

static void print_value(const json_t *v)
{
	if (json_is_string(v)) {
		puts(json_string_value(v));
		return;
	}
	char *text = json_dumps(v, JSON_ENCODE_ANY | JSON_COMPACT);
	puts(text ? text : "");
	free(text);
}

int main(int argc, char **argv)
{
	if (argc != 3) {
		fprintf(stderr, "usage: json_get FILE PATH\n");
		return 2;
	}
	json_error_t err;
	json_t *root = json_load_file(argv[1], 0, &err);
	if (!root) {
		fprintf(stderr, "json_get: %s:%d: %s\n", argv[1], err.line, err.text);
		return 1;
	}
	const json_t *v = root;
	for (char *save, *key = strtok_r(argv[2], ".", &save); key; key = strtok_r(NULL, ".", &save)) {
		if (strcmp(key, "#") == 0) {
			printf("%zu\n", json_is_array(v) ? json_array_size(v) : json_object_size(v));
			return 0;
		}
		v = step(v, key);
		if (!v) {
			fprintf(stderr, "json_get: %s: there is no '%s'\n", argv[1], key);
			return 1;
		}
	}
	print_value(v);
	return 0;
}
