void first(void);
void second(void);
