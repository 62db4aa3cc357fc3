/* search.sql, terminated. The preprocessor finds it through the -I. of the build. */
	.section .rodata
	.global search_sql
search_sql:
	.incbin "cli/nightly/machines/search.sql"
	.byte 0
	.section .note.GNU-stack, "", @progbits
