package dev.medley.store.checkpoint;

/** The result of reading a checkpoint's folder: a whole checkpoint, or a broken one. */
sealed interface FoundCheckpoint permits Checkpoint, BrokenCheckpoint {}
