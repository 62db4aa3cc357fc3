/* engine.sql, terminated. The preprocessor finds it through the -I. of the build. */
	.section .rodata
	.global engine_sql
engine_sql:
	.incbin "cli/stress/engine.sql"
	.byte 0
	.section .note.GNU-stack, "", @progbits
