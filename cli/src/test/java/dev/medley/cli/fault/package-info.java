/**
 * Whole runs that meet trouble: the command and its workers are real processes, which are killed,
 * frozen, starved of memory and of disk at moments drawn from a seed.
 */
package dev.medley.cli.fault;
