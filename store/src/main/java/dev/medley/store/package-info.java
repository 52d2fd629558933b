/** Keeps what lies on disk: data sets, models and checkpoints, each in a package of its own. */
package dev.medley.store;
