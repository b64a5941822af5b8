// All of the library comes from the folders of src/lacuna.
