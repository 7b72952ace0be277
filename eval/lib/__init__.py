"""What the scripts of eval/ and of data/ share; it imports no script.

Python looks for modules beside the script that it runs, so each folder of scripts has a link `lib` to
this one: a script runs from anywhere, by its path, and none changes sys.path. Modules that load
numpy, scipy or matplotlib say so: others must not load these, see measure in acevec.py.
"""
