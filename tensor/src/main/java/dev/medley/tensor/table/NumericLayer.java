package dev.medley.tensor.table;

import dev.medley.tensor.layer.Layer;

/** Turns the numbers of a table's columns, [samples, columns], into more numbers a sample. */
interface NumericLayer extends Layer {
    /** Numbers that a sample becomes. */
    long width();
}
