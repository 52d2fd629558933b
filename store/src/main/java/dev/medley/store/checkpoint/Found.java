package dev.medley.store.checkpoint;

/** What a checkpoint's folder turned out to be. */
sealed interface Found permits Checkpoint, BrokenCheckpoint {}
