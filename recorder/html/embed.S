/* The page of `simul show --html`; recorder/html/assemble.sh made it. HTML_PAGE is its path. */
	.section .rodata
	.global html_page, html_page_end
html_page:
	.incbin HTML_PAGE
html_page_end:
	.byte 0
	.section .note.GNU-stack, "", @progbits
