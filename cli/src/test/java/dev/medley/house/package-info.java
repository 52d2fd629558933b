/**
 * Tests of the repository itself: which module may use which, how sources look, whether documents
 * speak of files that exist, and under which licences the shipped libraries are.
 */
package dev.medley.house;
