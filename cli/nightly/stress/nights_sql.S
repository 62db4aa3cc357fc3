/* nights.sql, terminated. The preprocessor finds it through the -I. of the build. */
	.section .rodata
	.global nights_sql
nights_sql:
	.incbin "cli/nightly/stress/nights.sql"
	.byte 0
	.section .note.GNU-stack, "", @progbits
