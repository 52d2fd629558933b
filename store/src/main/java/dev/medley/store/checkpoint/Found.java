package dev.medley.store.checkpoint;

/** The result of reading a checkpoint's folder: a whole checkpoint, or a broken one. */
sealed interface Found permits Checkpoint, BrokenCheckpoint {}
