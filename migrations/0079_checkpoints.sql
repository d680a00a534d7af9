alter table books_checkpoints drop column sums;
